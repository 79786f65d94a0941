"""Schema history, and the rows that the suite brings with it."""
