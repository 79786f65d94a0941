"""Ranks models by work: tasks, passes, scores and intervals. Calls go through the engine."""
