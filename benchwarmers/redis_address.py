"""One Redis address, spelt the way each library wants it.

redis-py and channels-redis read `unix:///path`, kombu reads `redis+socket:///path`. Decides nothing else; no I/O.
"""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit


def broker_url(url: str) -> str:
    """kombu's spelling of a redis-py address; network addresses are the same in both."""
    parts = urlsplit(url)
    if parts.scheme != "unix":
        return url
    number = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.path}?virtual_host={number}"
