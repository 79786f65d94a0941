"""Schema history, and the schedule's rows."""
