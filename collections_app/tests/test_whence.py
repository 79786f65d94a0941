"""Where a request came from, with and without proxies in front."""

from __future__ import annotations

import pytest

from collections_app.whence import address_now, asked_from, judge_address

PROXY = ("10.0.0.7/32",)
TWO = ("10.0.0.7/32", "172.18.0.0/16")


@pytest.mark.parametrize(
    ("peer", "forwarded", "trusted", "address"),
    [
        ("203.0.113.9", "", (), "203.0.113.9"),
        ("203.0.113.9", "198.51.100.1", (), "203.0.113.9"),
        ("203.0.113.9", "198.51.100.1", PROXY, "203.0.113.9"),
        ("10.0.0.7", "198.51.100.1", PROXY, "198.51.100.1"),
        ("10.0.0.7", "", PROXY, "10.0.0.7"),
        ("10.0.0.7", "1.1.1.1, 198.51.100.1", PROXY, "198.51.100.1"),
        ("10.0.0.7", "1.1.1.1, 198.51.100.1, 172.18.3.4", TWO, "198.51.100.1"),
        ("10.0.0.7", "172.18.3.4", TWO, "172.18.3.4"),
        ("10.0.0.7", "unknown", PROXY, "10.0.0.7"),
        ("10.0.0.7", "<script>, 198.51.100.1:4711", PROXY, "198.51.100.1"),
        ("10.0.0.7", "198.51.100.1, unknown", PROXY, "10.0.0.7"),
        ("10.0.0.7", "[2001:db8::7]:443", PROXY, "2001:db8::7"),
        ("::ffff:10.0.0.7", "198.51.100.1", PROXY, "198.51.100.1"),
        ("2001:db8::7", "", PROXY, "2001:db8::7"),
        ("", "198.51.100.1", PROXY, ""),
        ("testclient", "198.51.100.1", PROXY, ""),
    ],
)
def test_only_a_trusted_proxy_says_where_somebody_asks_from(
    peer: str, forwarded: str, trusted: tuple[str, ...], address: str
) -> None:
    assert judge_address(peer, forwarded, trusted) == address


def test_outside_a_request_there_is_no_address() -> None:
    assert address_now() == ""
    with asked_from("203.0.113.9"):
        assert address_now() == "203.0.113.9"
    assert address_now() == ""
