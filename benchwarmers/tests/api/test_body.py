"""What a program sends is read field by field, and everything that is wrong of it is told at once."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET, Struct, UnsetType

from benchwarmers.api.body import check_query, read_body
from collections_app.refusal import Refused


class Form(Struct):
    name: str
    rpm: int | None = None
    members: list[str] | UnsetType = UNSET
    limits: dict[str, int] = {}


def test_what_fits_is_read_and_what_is_left_out_is_as_the_form_has_it() -> None:
    assert read_body({"name": "a", "rpm": 3}, Form) == Form("a", 3)
    assert read_body({"name": "a", "members": ["x"]}, Form).members == ["x"]


@pytest.mark.parametrize(("said", "problems"), [
    ({}, {"name": "missing"}),
    ({"name": 1}, {"name": "It is text."}),
    ({"name": None}, {"name": "It is text."}),
    ({"name": "a", "rpm": "x"}, {"rpm": "It is a whole number or null."}),
    ({"name": "a", "rpm": True}, {"rpm": "It is a whole number or null."}),
    ({"name": "a", "members": "x"}, {"members": "It is a list."}),
    ({"name": "a", "members": ["x", 2]}, {"members": "Entry 2 is text."}),
    ({"name": "a", "limits": {"rpm": "x"}}, {"limits": "It is a whole number."}),
    ({"name": "a\0"}, {"name": "NUL"}),
    ({"name": "a", "limits": {"\0": 1}}, {"limits": "NUL"}),
    ({"nam": "a", "rmp": 1}, {"nam": "no such field", "rmp": "known are name, rpm", "name": "missing"}),
])  # fmt: skip
def test_each_field_that_is_wrong_is_named(said: dict[str, Any], problems: dict[str, str]) -> None:
    with pytest.raises(Refused) as refused:
        read_body(said, Form)
    found = dict(refused.value.problems)
    assert found.keys() == problems.keys()
    assert all(words in found[field] for field, words in problems.items()), found


def test_a_parameter_with_a_slip_is_refused() -> None:
    check_query({"role": "code"}, ("role", "q"))
    with pytest.raises(Refused, match="no such parameter; known are role, q"):
        check_query({"rol": "code"}, ("role", "q"))
    with pytest.raises(Refused, match="takes no parameter"):
        check_query({"rol": "code"}, ())
