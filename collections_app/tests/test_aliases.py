"""How aliases are derived and followed."""

from __future__ import annotations

import pytest

from collections_app.aliases import AliasLoop, derive_alias, follow_alias


@pytest.mark.parametrize(
    ("served", "alias"),
    [
        ("poolside/laguna-s-2.1:free", "laguna-s-2.1-free"),
        ("gpt-5.5", "gpt-5.5"),
        ("models/gemini-3.1-pro", "gemini-3.1-pro"),
        ("a/b/c/Deep_Seek", "Deep_Seek"),
        ("maker/x", "x-model"),
        ("maker/~@ü", ""),
    ],
)
def test_the_last_segment_becomes_the_alias(served: str, alias: str) -> None:
    assert derive_alias(served) == alias


def test_a_taken_alias_gets_the_connection_appended_whatever_its_case() -> None:
    assert derive_alias("b/Fast-1", taken={"fast-1"}, connection="groq/meta") == "Fast-1-groq"


def test_without_a_connection_alt_is_appended_and_then_numbers() -> None:
    assert derive_alias("b/fast", taken={"fast"}) == "fast-alt"
    assert derive_alias("b/fast", taken={"fast", "fast-alt"}) == "fast-alt-2"


def test_a_long_name_is_cut_and_stays_unlike_the_taken_one() -> None:
    first = derive_alias("v/" + "a" * 100)
    second = derive_alias("v/" + "a" * 100, taken={first})
    assert len(first) == len(second) == 64
    assert first != second


def test_a_chain_of_renames_is_followed_to_its_end() -> None:
    assert follow_alias("a", {"a": "b", "b": "c"}) == "c"
    assert follow_alias("c", {"a": "b", "b": "c"}) == "c"


def test_a_loop_in_the_history_is_an_error() -> None:
    with pytest.raises(AliasLoop):
        follow_alias("a", {"a": "b", "b": "a"})
