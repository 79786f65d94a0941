"""The catalogue and the memory: what models there are, how they are grouped, and what is known of their work."""
