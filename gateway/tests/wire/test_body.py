"""What is wrong with a body is said in the caller's words."""

from typing import Annotated

import msgspec
import pytest
from msgspec import Meta, Raw

from gateway.canon.ask import BenchField
from gateway.canon.fault import BadRequest
from gateway.wire.body import explain, given, read_bench, read_body, read_fields, read_nominated


class Sample(msgspec.Struct):
    needed: str
    count: Annotated[int, Meta(ge=1, le=9)] | None = None
    share: Annotated[float, Meta(gt=0, lt=1)] | None = None
    words: list[str] | None = None
    inner: dict[str, list[int]] | None = None


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "The body is not JSON"),
        (b"nope", "The body is not JSON"),
        (b'{"needed":"\xff"}', "The body is not JSON"),
        (b"[]", "The body must be an object, not a list."),
        (b"{}", "The body cannot be used: object missing required field `needed`."),
        (b'{"needed":1}', "`needed` must be text, not a whole number."),
        (b'{"needed":null}', "`needed` must be text, not null."),
        (b'{"needed":"","count":1.5}', "`count` must be a whole number, not a number."),
        (b'{"needed":"","count":0}', "`count` must be at least 1."),
        (b'{"needed":"","count":10}', "`count` must be at most 9."),
        (b'{"needed":"","share":0}', "`share` must be more than 0.0."),
        (b'{"needed":"","share":1}', "`share` must be less than 1.0."),
        (b'{"needed":"","words":[true]}', "`words[0]` must be text, not true or false."),
        (b'{"needed":"","inner":{"a":["x"]}}', "`inner[...][0]` must be a whole number, not text."),
    ],
)
def test_every_misfit_has_its_sentence(body: bytes, said: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        read_body(body, Sample)

    assert refusal.value.message.startswith(said)


def test_a_thousand_levels_are_refused_and_not_fallen_over() -> None:
    with pytest.raises(BadRequest, match="nested too deeply"):
        read_fields(b'{"a":' + b"[" * 1_000 + b"]" * 1_000 + b"}")


def test_a_misfit_below_a_field_is_placed_under_it() -> None:
    assert explain("Expected `str`, got `int` - at `$[2]`", "tools") == "`tools[2]` must be text, not a whole number."
    assert explain("Expected `str`, got `int` - at `$.name`", "tools[2]").startswith("`tools[2].name`")


def test_nominations_are_a_list_of_texts_or_absent() -> None:
    assert read_nominated({"with": Raw(b'["a","b"]')}) == ("a", "b")
    assert read_nominated({"with": Raw(b"null")}) == read_nominated({}) == ()
    for wrong in (b'"a"', b"[1]", b"{}"):
        with pytest.raises(BadRequest, match="list of model aliases"):
            read_nominated({"with": Raw(wrong)})


def test_the_bench_object_takes_four_replies_and_ignores_what_it_does_not_know() -> None:
    assert read_bench({}) == read_bench({"bench": Raw(b"null")}) == BenchField()
    assert read_bench({"bench": Raw(b'{"reply":"choices","later":1}')}).reply == "choices"
    for wrong in (b'"all"', b'{"reply":"one"}', b'{"reply":3}'):
        with pytest.raises(BadRequest, match="all, merged, route or choices"):
            read_bench({"bench": Raw(wrong)})


def test_null_and_absent_are_both_not_given() -> None:
    assert given(None) is given(Raw(b"null")) is given(Raw(b"")) is None
    assert given(Raw(b"0")) == Raw(b"0")
