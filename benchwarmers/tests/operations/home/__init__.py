"""The start page and the buttons of its alerts."""
