"""The page on which models are taken on: candidates over all endpoints, the queue, and what went wrong."""
