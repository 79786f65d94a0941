"""The command line `bench`, also `benchwarmers`: asks a running server by HTTP, from anywhere.

Imports nothing of Django and nothing that asks a database; what runs on this machine alone is a program of its own
(`local`). What only some commands need is imported by those, so that help comes at once.
"""
