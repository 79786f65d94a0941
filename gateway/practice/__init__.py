"""The practice squad: scripted characters that answer like models, so that the bench can be tried without one."""
