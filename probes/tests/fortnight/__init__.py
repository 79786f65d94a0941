"""Two weeks of a busy installation in a few seconds: models that die, come back, go paid and get renamed."""
