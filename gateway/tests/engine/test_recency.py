"""Who was seated when, from three accounts."""

from __future__ import annotations

from gateway.engine.recency import Recency


def test_the_latest_account_of_a_model_holds() -> None:
    recency = Recency()
    recency.note(["a"], 5.0)
    recency.note(["b"], 1.0)
    merged = recency.merged({"a": 1.0, "b": 3.0, "c": 2.0}, {"b": 2.0, "c": 9.0, "d": 4.0})
    assert merged == {"a": 5.0, "b": 3.0, "c": 9.0, "d": 4.0}


def test_what_is_merged_changes_no_account() -> None:
    recency, standing, others = Recency(), {"a": 1.0}, {"a": 2.0}
    recency.merged(standing, others)["a"] = 99.0
    assert (standing, others) == ({"a": 1.0}, {"a": 2.0})


def test_each_seating_is_handed_over_once() -> None:
    recency = Recency()
    recency.note(["a", "b"], 1.0)
    assert recency.take_untold() == {"a": 1.0, "b": 1.0}
    assert recency.take_untold() == {}
    recency.note(["a"], 2.0)
    assert recency.take_untold() == {"a": 2.0}
    assert recency.merged({}, {}) == {"a": 2.0, "b": 1.0}


def test_a_rest_that_is_past_here_hides_none_that_another_process_has_heard_of() -> None:
    recency = Recency()
    recency.note_rest("a", 5.0, barred=True)
    recency.note_rest("b", 9.0, barred=True)
    known = {"a": 8.0, "b": 7.0, "c": 1.0}
    assert recency.resting(known) == recency.barred(known) == {"a": 8.0, "b": 9.0, "c": 1.0}
    assert [recency.barred_until(alias, known) for alias in "abcd"] == [8.0, 9.0, 1.0, 0.0]
