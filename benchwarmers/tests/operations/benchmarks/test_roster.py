"""What the list of models tells of the suite."""

from __future__ import annotations

from collections.abc import Callable

from django.test import Client

from benchwarmers.tests.dashboard.test_usage import text_of
from benchwarmers.tests.operations.benchmarks.given import add_claim, add_pair, answer

As = Callable[[str], Client]


def test_a_model_is_listed_with_what_it_found_of_what_was_to_be_found(as_person: As) -> None:
    answer({"osprey": "FAULT: line 4\nIt subtracts."}, *add_pair())
    told = text_of(as_person("zoe"), "/roster/?q=osprey")
    assert "osprey lab/osprey · harbour untested new general ? – 0 – 1/2 – never" in told
    assert "wren lab/wren · harbour untested new general ? – 0 – – – never" in text_of(
        as_person("zoe"), "/roster/?q=wren"
    )


def test_an_answer_moves_it(as_person: As) -> None:
    client, claim = as_person("zoe"), add_claim()
    answer({"osprey": "VERDICT: TRUE\nSo it is."}, claim)
    assert "general ? – 0 – 0/1 – never" in text_of(client, "/roster/?q=osprey")
    answer({"osprey": "VERDICT: FALSE\nIt is not."}, claim, days=1)
    assert "general ? – 0 – 0.5/1 – never" in text_of(client, "/roster/?q=osprey")
