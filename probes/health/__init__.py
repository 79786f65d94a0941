"""How models are: what probes see of them, and what follows from it. See docs/design/health.md."""
