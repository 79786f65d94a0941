"""The HTTP edge: what may come in, who asks, and the routes that answer without asking a model."""
