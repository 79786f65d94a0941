"""Moving in from the original Benchwarmers: its data folder read, planned and written. See docs/moving-in.md."""
