"""The page of the schedule: its mode, its jobs with their times, and when each is due next."""
