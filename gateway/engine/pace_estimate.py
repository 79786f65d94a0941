"""What a request will use, before it is sent: pure."""

from __future__ import annotations

from typing import Final

from gateway.canon.ask import Ask
from gateway.canon.tokens import count_ask
from gateway.engine.pace_rules import Estimate
from gateway.engine.retry import BUDGET_FIELDS, number_in
from gateway.wire.base import Facts

UNASKED_OUTPUT: Final = 1_024
"""Reserved for an answer whose length nobody bounded: a model's whole output would keep every other call waiting."""


def estimate_of(ask: Ask, facts: Facts) -> Estimate:
    """The tokens of a request and those its answer may take."""
    stated = max((number_in(facts.options.get(name)) for name in BUDGET_FIELDS), default=0)
    output = stated or ask.knobs.max_tokens or UNASKED_OUTPUT
    return Estimate(count_ask(ask), output if facts.max_output is None else min(output, facts.max_output))
