"""The pages of background work: all jobs, and one with its output."""
