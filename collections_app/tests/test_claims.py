"""When two sentences are the same claim, and when they only look alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.claim_words import stem_of
from collections_app.claims import collapse, group_texts, is_same, similarity, tidy_claims

SAME = [
    ("The lock is released before the write.", "The lock gets released before the write happens"),
    ("No timeout on line 4", "There is no timeout on line 4"),
    ("No timeout is set", "A timeout is not set."),
    ("`close()` is never called", "close() isn't called"),
    ("close() isn’t called", "close() is never called"),
    ("Returns None after the last try", "After the last try it returns None"),
    ("The function returns None on failure", "On failure the function returns null"),
    ("It is not true that the cache has no limit", "The cache has a limit"),
    (
        "In cache.py the lock is released before the write, so others can get in",
        "The lock is released before the write",
    ),
    ("It leaks file handles", "It leaks file handles when the parser raises an error"),
    ("Retries three times without jitter", "The 3 retries have no jitter"),
    ("`fetch_all` leaks connections", "fetch_all() leaks a connection"),
    ("`self.lock_file` is never removed", "lock_file isn't removed"),
    ("except Exception swallows KeyboardInterrupt", "`except Exception` will swallow KeyboardInterrupt"),
    ("except Exception also swallows Ctrl-C, so it cannot be stopped", "except Exception swallows Ctrl-C"),
    ("Queries are run in a loop (N+1)", "The query runs in a loop: N+1"),
    ("Der Puffer wird nie geleert", "der Puffer wird nie geleert!"),
    ("42", "42"),
]
OTHER = [
    ("No timeout on line 4", "No timeout on line 9"),
    ("The cache is locked", "The cache is not locked"),
    ("The save is not atomic", "Save is atomic"),
    ("It returns null", "It never returns null"),
    ("The cache is not locked but the write is safe", "The cache is locked but the write is not safe"),
    ("timeout=None means no timeout", "timeout=None means a timeout"),
    ("It doesn't only read, it writes", "It doesn't write"),
    ("The lock is released before the write", "The write happens before the lock is released"),
    ("The lock is released before the write", "The lock is released after the write"),
    ("Postgres is faster than SQLite", "SQLite is faster than Postgres"),
    ("a.close() leaks", "b.close() leaks"),
    ("read_all() leaks a handle", "write_all() leaks a handle"),
    ("The list is sorted ascending", "The list is sorted descending"),
    ("The code is thread-safe", "The code is thread-unsafe"),
    ("The retry has no jitter", "The retry has no timeout"),
    ("Handles empty input well", "Handles large input well"),
    ("except Exception swallows KeyboardInterrupt", "KeyboardInterrupt is a BaseException"),
    ("The function is slow", "The function is wrong"),
    ("", "The function is wrong"),
    ("It is", "It was not"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_claim_in_other_words_is_found(one: str, other: str) -> None:
    assert is_same(one, other)
    assert similarity(one, other) == similarity(other, one)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_differs_in_what_matters_is_another_claim(one: str, other: str) -> None:
    assert not is_same(one, other)
    assert similarity(one, other) == similarity(other, one)


@pytest.mark.parametrize(
    ("words", "stem"),
    [
        ("release releases released releasing", "releas"),
        ("retry retries retried", "retry"),
        ("cache caches cached caching", "cach"),
        ("run runs running", "run"),
        ("class classes", "class"),
        ("call calls called", "call"),
        ("as", "as"),
    ],
)
def test_a_word_in_its_forms_has_one_stem(words: str, stem: str) -> None:
    assert {stem_of(word) for word in words.split()} == {stem}


def test_a_group_takes_only_what_is_the_same_as_all_of_it() -> None:
    """The first is the same as each of the others, which differ from one another."""
    texts = ["The cache leaks memory", "The cache leaks memory on line 4", "The cache leaks memory on line 9"]
    assert [is_same(texts[0], texts[1]), is_same(texts[0], texts[2])] == [True, True]
    assert group_texts([*texts, "The parser is slow", "the cache leaks memory"]) == [0, 0, 1, 2, 0]


def test_settled_groups_stay_apart_and_attract_what_is_most_like_them() -> None:
    fixed = [["The lock is free"], ["The lock is free in tests"]]
    assert group_texts(["the lock is free in tests!", "Another thing entirely"], fixed) == [1, 2]


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("  two \n lines\t", "two lines"),
        ("nul\x00 and\x07 bell", "nul and bell"),
        ("\ud800x", "x"),
        ("a" * 30, "a" * 20),
    ],
)
def test_a_text_in_normal_form(text: str, clean: str) -> None:
    assert collapse(text, 20) == clean


def test_claims_are_kept_once_and_bounded() -> None:
    assert tidy_claims([" a  claim", "a claim", "", "\n"]) == ["a claim"]
    assert tidy_claims(None) == []
    assert [len(tidy_claims(f"{n} {'c' * 500}" for n in range(30))), len(tidy_claims(["c" * 500])[0])] == [20, 400]


WORDS = ["the", "lock", "is", "not", "released", "before", "after", "write", "writes", "4", "9", "a.close()", "safe"]
WORDS += ["unsafe", "never,", "but", "timeout", "None", "retries"]
SENTENCES = st.one_of(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), st.text(max_size=60))


@given(SENTENCES, SENTENCES)
def test_likeness_has_no_direction_and_everything_is_like_itself(one: str, other: str) -> None:
    assert similarity(one, other) == similarity(other, one)
    assert 0 <= similarity(one, other) <= 1
    assert similarity(one, one) == 1


@given(st.text(max_size=600))
def test_the_normal_form_is_its_own_normal_form(text: str) -> None:
    once = collapse(text, 400)
    assert collapse(once, 400) == once
    assert len(once) <= 400
    assert tidy_claims([text, once]) == ([once] if once else [])


@given(st.lists(SENTENCES, max_size=8))
def test_every_text_is_the_same_as_all_others_of_its_group(texts: list[str]) -> None:
    chosen = group_texts(texts)
    for group in set(chosen):
        inside = [text for text, where in zip(texts, chosen, strict=True) if where == group]
        assert all(one == other or is_same(one, other) for one in inside for other in inside)
