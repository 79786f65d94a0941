"""Client libraries against a fresh installation, each in an environment of its own. `make test-clients` runs them.

No part of `make test`: these libraries need versions of others that cannot stand in one environment, and what they
publish tomorrow must not break a build today.
"""
