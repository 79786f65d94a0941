"""The Redis address spelt the way each library of the settings wants it. Decides nothing else; no I/O."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from collections_app.redis_address import Sentinels, read_sentinels
from collections_app.redis_client import sentinel_options, server_options


def broker_url(url: str) -> str:
    """kombu's spelling: `redis+socket:///path` for a socket, all sentinels for sentinels, network addresses as they
    are."""
    if (sentinels := read_sentinels(url)) is not None:
        login = _login(sentinels)
        return ";".join(f"sentinel://{login}{host}:{port}/{sentinels.number}" for host, port in sentinels.hosts)
    parts = urlsplit(url)
    if parts.scheme != "unix":
        return url
    number = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.path}?virtual_host={number}"


def broker_options(url: str) -> dict[str, Any]:
    """What kombu must know beside the address."""
    sentinels = read_sentinels(url)
    if sentinels is None:
        return {}
    return {"master_name": sentinels.service, "sentinel_kwargs": sentinel_options(sentinels)}


def cache_options(url: str) -> dict[str, Any]:
    """What Django's cache must know beside the address."""
    if read_sentinels(url) is None:
        return {}
    return {"pool_class": "collections_app.redis_client.SentinelPool"}


def layer_host(url: str) -> str | dict[str, Any]:
    """A host as channels_redis takes it."""
    sentinels = read_sentinels(url)
    if sentinels is None:
        return url
    return {
        "sentinels": list(sentinels.hosts),
        "master_name": sentinels.service,
        "sentinel_kwargs": sentinel_options(sentinels, in_loop=True),
        **server_options(sentinels),
    }


def _login(sentinels: Sentinels) -> str:
    if sentinels.password is None and sentinels.username is None:
        return ""
    return f"{quote(sentinels.username or '', safe='')}:{quote(sentinels.password or '', safe='')}@"
