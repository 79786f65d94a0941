"""Measurements in ratio to minimal relays. Run by hand; the figures go to docs/performance.md."""
