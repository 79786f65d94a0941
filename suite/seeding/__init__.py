"""Plants one change in code that is as it should be: where, what, and the task that comes of it."""
