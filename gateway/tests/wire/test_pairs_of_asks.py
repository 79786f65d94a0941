"""A request of any format goes to a member of any other: what both can say arrives, and all that is lost is named."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.canon.ask import Ask, Thought
from gateway.tests.wire.asks import OWN, asks
from gateway.tests.wire.inventory import Statement, statements, unnamed
from gateway.wire.base import Facts
from gateway.wire.registry import CLIENTS, SERVERS

FACTS = (OWN, Facts("gemini-2.5-pro"), Facts("gemini-3-pro", plain_tools=True))
EXAMPLES = settings().max_examples // 2


@pytest.mark.parametrize(("caller", "member"), list(product(SERVERS, CLIENTS)))
def test_what_a_member_is_not_told_is_named(caller: str, member: str) -> None:
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(asks(caller), st.sampled_from(FACTS))
    def check(ask: Ask, facts: Facts) -> None:
        outgoing = CLIENTS[member].write_ask(ask, facts)
        path, _, query = outgoing.path.partition("?")
        back = SERVERS[member].read_ask(outgoing.body, path, query)

        lost = statements(ask) - statements(back) - told_otherwise(member, ask, back)
        assert unnamed(lost, outgoing.notes) == []

    check()


def told_otherwise(member: str, ask: Ask, back: Ask) -> set[Statement]:
    """What a member is told in another way than it was said."""
    found: set[Statement] = set()
    if member == "anthropic":  # it holds every answer to its schema
        found.add(("format strict", True))
    if member == "gemini" and back.knobs.reasoning_tokens and not ask.knobs.reasoning_tokens:  # the effort, in tokens
        found.add(("effort", ask.knobs.reasoning_effort))
    if member == ask.protocol:  # a seal of its own holds the words
        found |= {
            ("thought", part.text)
            for turn in ask.turns
            for part in turn.parts
            if isinstance(part, Thought) and part.seal is not None
        }
    return found
