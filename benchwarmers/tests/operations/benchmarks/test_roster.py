"""What the list of models tells of the suite."""

from __future__ import annotations

from collections.abc import Callable

from django.test import Client

from benchwarmers.tests.dashboard.test_usage import text_of
from benchwarmers.tests.operations.benchmarks.given import add_claim, add_pair, answer

As = Callable[[str], Client]


def test_a_model_is_listed_with_what_it_found_and_how_sure_that_is(as_person: As) -> None:
    answer({"osprey": "FAULT: line 4\nIt subtracts."}, *add_pair())
    told = text_of(as_person("zoe"), "/roster/?q=osprey")
    assert "never 50% 9–91% none" in told
    assert "never – none" in text_of(as_person("zoe"), "/roster/?q=wren")


def test_an_answer_moves_it(as_person: As) -> None:
    client, claim = as_person("zoe"), add_claim()
    answer({"osprey": "VERDICT: TRUE\nSo it is."}, claim)
    assert "never 0% 0–79% none" in text_of(client, "/roster/?q=osprey")
    answer({"osprey": "VERDICT: FALSE\nIt is not."}, claim, days=1)
    assert "never 50% 5–95% none" in text_of(client, "/roster/?q=osprey")
