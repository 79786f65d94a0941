"""What an alias stands for, and who may ask it."""

from __future__ import annotations

import pytest

from gateway.canon.fault import Forbidden, NotFound
from gateway.canon.names import read_collection
from gateway.engine.admission import refuse_out_of_scope
from gateway.engine.plan import find_collection, resolve_model
from gateway.engine.snapshot import Caller
from gateway.tests.engine.world import LOCAL, collection, snapshot

CORE = collection("m1")
DEEP = collection("m1", name="deep", id=2)
ALIASES = {
    "gpt-5.5": "bench/core:route",
    "gpt-oss:20b": "bench/deep",
    "llama3:latest": "bench/core:merged",
    "models/odd": "bench/deep:all",
    "deep": "bench/core",
    "core:route": "bench/deep",
    "fast:all": "bench/deep:merged",
    "bench/core": "bench/deep",
}
KNOWN = snapshot(collections={"core": CORE, "deep": DEEP}, aliases=ALIASES)


@pytest.mark.parametrize(
    ("model", "stands_for"),
    [
        ("gpt-5.5", "bench/core:route"),
        (" gpt-5.5 ", "bench/core:route"),
        ("models/gpt-5.5", "bench/core:route"),
        ("gpt-5.5:latest", "bench/core:route"),
        ("gpt-oss:20b", "bench/deep"),
        ("models/gpt-oss:20b", "bench/deep"),
        ("llama3", "bench/core:merged"),
        ("llama3:latest", "bench/core:merged"),
        ("odd", "bench/deep:all"),
        ("fast:all", "bench/deep:merged"),
    ],
)
def test_an_alias_stands_for_a_full_name(model: str, stands_for: str) -> None:
    assert resolve_model(model, KNOWN) == stands_for
    assert find_collection(model, KNOWN, LOCAL).name == read_collection(stands_for)[0]


@pytest.mark.parametrize(
    "model", ["bench/core", "core", "deep", "deep:merged", "core:route", "bench/deep:all", " core "]
)
def test_a_collections_own_name_wins(model: str) -> None:
    assert resolve_model(model, KNOWN) == model
    assert find_collection(model, KNOWN, LOCAL).name in model


@pytest.mark.parametrize(
    "model", ["", "gpt-5", "gpt-5.5:route", "GPT-5.5", "bench/gpt-5.5", "fast", "latest", ":latest"]
)
def test_any_other_name_stays_as_it_is(model: str) -> None:
    assert resolve_model(model, KNOWN) == model


@pytest.mark.parametrize("model", [*ALIASES, "nobody", "bench/deep:route", ""])
def test_what_a_name_stands_for_stands_for_itself(model: str) -> None:
    named = resolve_model(model, KNOWN)
    assert resolve_model(named, KNOWN) == named


def test_an_unknown_name_is_still_not_found() -> None:
    with pytest.raises(NotFound) as caught:
        find_collection("gpt-5.5:route", KNOWN, LOCAL)
    assert caught.value.message.startswith("'gpt-5.5:route'")


def test_an_alias_opens_no_more_than_its_collection() -> None:
    caller = Caller("ci", key_id=1, scope=frozenset({"deep"}))
    refuse_out_of_scope(caller, find_collection("gpt-oss:20b", KNOWN, caller))
    refusals = []
    for name in ("gpt-5.5", "bench/core"):
        with pytest.raises(Forbidden) as caught:
            refuse_out_of_scope(caller, find_collection(name, KNOWN, caller))
        refusals.append((caught.value.status, caught.value.code, caught.value.message))
    assert refusals[0] == refusals[1]
