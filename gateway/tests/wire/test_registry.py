"""Every protocol is found by its own name, on both sides."""

from gateway.wire.registry import CLIENTS, SERVERS


def test_protocols_are_listed_under_their_names() -> None:
    assert all(name == wire.name for wires in (SERVERS, CLIENTS) for name, wire in wires.items())
    assert "openai_chat" in SERVERS
    assert "openai_chat" in CLIENTS
