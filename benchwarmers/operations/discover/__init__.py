"""The page of models that can be had, and what this installation says of providers and connections."""
