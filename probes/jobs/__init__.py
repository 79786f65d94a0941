"""Background work: what kinds there are, how a row is claimed, worked on and ended. See docs/design/jobs.md."""
