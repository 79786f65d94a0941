"""Real servers of other people, each installed into an environment of its own, that an installation is tried with. Not
part of the ordinary tests: `make test-hubs` and `make test-inference` install and run them.
"""
