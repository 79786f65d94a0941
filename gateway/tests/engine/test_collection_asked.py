"""Which collection a model name means, and whether a request may be put to it."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.canon.ask import Ask, BenchField, Text, Tool, ToolCall, ToolResult, Turn
from gateway.canon.fault import BadRequest, Fault, Forbidden, NotFound
from gateway.canon.names import family_of, key_variable, read_collection
from gateway.engine.admission import SERVED_MODES, refuse_other_modes, refuse_out_of_scope, reply_mode
from gateway.engine.plan import find_collection
from gateway.engine.snapshot import Caller
from gateway.tests.engine.world import LOCAL, ask, collection, snapshot
from gateway.wire.registry import SERVERS

CORE = collection("m1", description="Everyday questions", tags=("fast", "cheap"))
DEEP = collection("m1", name="deep")
KNOWN = snapshot(collections={"core": CORE, "deep": DEEP})


def refusal(name: str, caller: Caller = LOCAL, known: Any = KNOWN) -> Fault:
    with pytest.raises(Fault) as caught:
        find_collection(name, known, caller)
    return caught.value


@pytest.mark.parametrize("name", ["bench/core", "core", " bench/core ", "core:all", "bench/core:merged", "core:route"])
def test_a_collection_is_found_by_either_name_and_with_any_known_suffix(name: str) -> None:
    assert find_collection(name, KNOWN, LOCAL) is CORE


@pytest.mark.parametrize("name", ["", "bench/", "  ", "bench/:all"])
def test_no_name_is_a_bad_request_with_the_list(name: str) -> None:
    fault = refusal(name)
    assert isinstance(fault, BadRequest)
    assert (fault.status, fault.code) == (400, "no_model")
    assert "GET /v1/models" in fault.message
    assert "\nbench/core: Everyday questions [fast, cheap]\nbench/deep: no description" in fault.message


@pytest.mark.parametrize("name", ["bench/other", "core:latest", "core:", "gpt-5", "bench/bench/core", "CORE"])
def test_an_unknown_name_is_not_found_and_quoted_with_the_list(name: str) -> None:
    fault = refusal(name)
    assert isinstance(fault, NotFound)
    assert fault.message.startswith(repr(name))
    assert "bench/core: Everyday questions" in fault.message


def test_a_name_of_absurd_length_is_not_quoted_in_whole() -> None:
    assert len(refusal("x" * 1_000_000).message) < 2_000


def test_a_scope_hides_the_other_collections() -> None:
    message = refusal("other", Caller("ci", key_id=1, scope=frozenset({"deep"}))).message
    assert "bench/deep" in message
    assert "core" not in message


def test_without_collections_the_refusal_says_where_to_make_one() -> None:
    fault = refusal("core", known=snapshot())
    assert "Collections page" in fault.message
    assert fault.status == 404


@pytest.mark.parametrize("scope", [None, frozenset({"core"}), frozenset({"core", "deep"})])
def test_a_key_opens_what_its_scope_holds(scope: frozenset[str] | None) -> None:
    refuse_out_of_scope(Caller("ci", key_id=1, scope=scope), CORE)


@pytest.mark.parametrize(
    ("scope", "may"), [(frozenset(), "nothing"), (frozenset({"deep", "alpha"}), "bench/alpha, bench/deep")]
)
def test_a_key_out_of_scope_is_told_what_it_may_call(scope: frozenset[str], may: str) -> None:
    with pytest.raises(Forbidden) as caught:
        refuse_out_of_scope(Caller("ci", key_id=1, scope=scope), CORE)
    assert caught.value.status == 403
    assert "Key ci" in caught.value.message
    assert f"It may call {may}." in caught.value.message


@pytest.mark.parametrize(
    ("body", "suffix", "setting", "mode"),
    [
        ("merged", ":route", "choices", "merged"),
        (None, ":route", "merged", "route"),
        (None, "", "merged", "merged"),
        (None, "", "", "all"),
        ("all", "", "merged", "all"),
    ],
)
def test_the_body_wins_over_the_suffix_and_that_over_the_collection(
    body: Any, suffix: str, setting: str, mode: str
) -> None:
    bench = BenchField(reply=body) if body else BenchField()
    named = f"bench/core{suffix}"
    assert reply_mode(ask(model=named, bench=bench), named, collection("m1", reply=setting)) == mode


def test_a_mode_that_is_not_served_is_refused_with_one_that_is() -> None:
    with pytest.raises(BadRequest) as caught:
        refuse_other_modes(ask(), CORE, "loud")
    assert "bench/core:all" in caught.value.message


@pytest.mark.parametrize("protocol", sorted(SERVERS.keys() - {"openai_chat"}))
def test_choices_are_refused_where_the_format_has_room_for_one_answer(protocol: str) -> None:
    with pytest.raises(BadRequest) as caught:
        refuse_other_modes(ask(protocol=protocol), CORE, "choices")
    assert caught.value.code == "reply_mode"
    assert "bench/core:all or bench/core:merged" in caught.value.message


@pytest.mark.parametrize("mode", SERVED_MODES)
def test_every_mode_that_is_served_is_let_in(mode: str) -> None:
    refuse_other_modes(ask(), CORE, mode)


@pytest.mark.parametrize(
    "asked",
    [
        ask(tools=(Tool("search"),)),
        ask(turns=(Turn("assistant", (ToolCall("1", "search", "{}"),)), Turn("user", (Text("Well?"),)))),
        ask(turns=(Turn("tool", (ToolResult("1", (Text("found"),)),)),)),
    ],
    ids=["tools", "a call", "a result"],
)
def test_work_with_tools_is_pointed_to_route_mode(asked: Ask) -> None:
    for mode in ("all", "merged", "choices"):
        with pytest.raises(BadRequest) as caught:
            refuse_other_modes(asked, CORE, mode)
        assert "bench/core:route" in caught.value.message


def test_work_with_tools_is_let_in_where_one_member_answers() -> None:
    refuse_other_modes(ask(tools=(Tool("search"),)), CORE, "route")


@pytest.mark.parametrize(
    ("model", "read"),
    [
        ("bench/core", ("core", None)),
        ("core:all", ("core", "all")),
        ("bench/core:choices", ("core", "choices")),
        ("core:xyz", ("core:xyz", None)),
        ("core:all:merged", ("core:all", "merged")),
        (":route", ("", "route")),
    ],
)
def test_a_name_is_read_into_collection_and_mode(model: str, read: tuple[str, str | None]) -> None:
    assert read_collection(model) == read


@pytest.mark.parametrize(
    ("served", "family"),
    [
        ("lab/Qwen3-Coder:free", "qwen3coder"),
        ("z-ai/glm-4.6", "glm46"),
        ("GLM_4.6", "glm46"),
        ("a/b/c-1", "c1"),
        ("glm-4.5", "glm45"),
    ],
)
def test_a_family_is_the_models_bare_name(served: str, family: str) -> None:
    assert family_of(served) == family


def test_a_secrets_variable_is_made_from_its_name() -> None:
    assert key_variable("open-router") == "BENCHWARMERS_KEY_OPEN_ROUTER"
