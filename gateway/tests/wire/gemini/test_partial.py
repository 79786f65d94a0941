"""Arguments that come value by value are put together."""

import json
from typing import Any

import pytest

from gateway.wire.gemini.partial import PartialCall
from gateway.wire.gemini.shape import PartialArg


def together(*pieces: tuple[str, dict[str, Any]]) -> Any:
    call = PartialCall()
    for path, value in pieces:
        call.take(PartialArg(path, **value))
    return json.loads(call.arguments())


def test_texts_are_joined_and_other_values_are_put_in_place() -> None:
    assert together(
        ("$.city", {"string_value": "Łó"}),
        ("$.city", {"string_value": "dź"}),
        ("$.city", {"string_value": ""}),
        ("$.days", {"number_value": 3}),
        ("$.metric", {"bool_value": False}),
        ("$.nothing", {}),
        ("$.places[1].name", {"string_value": "b"}),
        ("$.places[0].name", {"string_value": "a"}),
        ("$['odd key']", {"number_value": 1.5}),
    ) == {
        "city": "Łódź",
        "days": 3,
        "metric": False,
        "nothing": None,
        "places": [{"name": "a"}, {"name": "b"}],
        "odd key": 1.5,
    }


def test_a_call_without_pieces_has_no_arguments() -> None:
    assert together() == {}


@pytest.mark.parametrize("path", ["$..a", "$.a[*]", "a", "$.a[99999]"])
def test_paths_of_an_unknown_form_are_refused(path: str) -> None:
    with pytest.raises(ValueError, match="unknown form"):
        together((path, {"string_value": "x"}))


def test_a_list_has_no_fields() -> None:
    with pytest.raises(ValueError, match="a list has no fields"):
        together(("$.a[0]", {"number_value": 1}), ("$.a.b", {"number_value": 1}))
