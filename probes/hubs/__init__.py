"""Hubs: other people's gateways, through which many connections are reached. Each kind has an adapter that says which
connections it has, what adding a model would do, and does it.
"""
