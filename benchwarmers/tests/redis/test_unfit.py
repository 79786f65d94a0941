"""Servers that cannot be ours are told in a sentence: a node of a cluster, and a replica."""

from __future__ import annotations

from pathlib import Path

from benchwarmers.tests.redis.servers import PASSWORD, Server
from collections_app.redis_client import CLUSTER, find_unfit


def test_a_cluster_and_a_replica_are_told_and_a_primary_is_taken(tmp_path: Path) -> None:
    primary, node = Server(tmp_path), Server(tmp_path, cluster=True)
    replica = Server(tmp_path, replica_of=primary.port)
    try:
        assert find_unfit(primary.url) is None
        assert find_unfit(node.url.replace(f":{PASSWORD}@", "")) == CLUSTER
        assert "names a replica" in str(find_unfit(replica.url))
    finally:
        for server in (replica, node, primary):
            server.kill()
    assert find_unfit(primary.url) is None, "one that is away may be fit"
