"""Redis as larger installations have it: a primary with a replica and a sentinel, and a cluster, which is refused."""
