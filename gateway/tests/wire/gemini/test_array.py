"""Elements of an array come out whole, whatever the cuts."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.wire.gemini.array import ArraySplitter

values = st.recursive(
    st.text(max_size=8) | st.integers() | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('"\\{}[],é🌍', max_size=4), inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(st.text('"\\{}[]', max_size=4), values, max_size=3)


@given(
    st.lists(objects, max_size=4), st.sampled_from([",", ",\r\n", " ,\n"]), st.lists(st.integers(0, 200), max_size=6)
)
def test_elements_are_the_same_for_every_cut(elements: list[Any], between: str, cuts: list[int]) -> None:
    body = ("[" + between.join(json.dumps(element, ensure_ascii=False) for element in elements) + "]\n").encode()
    edges = sorted({0, len(body), *(cut for cut in cuts if cut < len(body))})
    splitter = ArraySplitter()
    found = [
        json.loads(element) for at, edge in enumerate(edges[1:]) for element in splitter.feed(body[edges[at] : edge])
    ]

    assert found == elements
    assert (splitter.done, splitter.rest) == (True, b"")


@pytest.mark.parametrize("body", [rb'[{"a\\":"\"]}"},[1]', rb'[{"a":"{[\\"}'])
def test_brackets_in_texts_are_no_brackets(body: bytes) -> None:
    splitter = ArraySplitter()
    found = [element for letter in body for element in splitter.feed(bytes([letter]))]

    assert json.loads(b"[" + b",".join(found) + b"]") == json.loads(body + b"]")


def test_what_is_cut_short_is_kept_as_the_rest() -> None:
    splitter = ArraySplitter()

    assert splitter.feed(b'[{"a":1},\r\n{"b":') == [b'{"a":1}']
    assert (splitter.done, splitter.rest) == (False, b'{"b":')
