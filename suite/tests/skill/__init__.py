"""Models whose skill is known, through a whole pass: what is measured must be what they can."""
