"""What the listing says of each collection."""

from __future__ import annotations

import msgspec
import pytest

from gateway.api import listing
from gateway.api.listing import find_entry, list_entries
from gateway.engine.snapshot import Caller, CollectionView, EndpointView, ModelView, Snapshot

LOCAL = Caller("local")
EVERY_MODE = ("all", "merged", "route", "choices")
GROQ = EndpointView(1, "groq", "https://api.groq.example", "provider", "chat")
HUB = EndpointView(2, "hub", "https://hub.example/api", "hub", "chat")


def snapshot(*, max_calls: int = 5, max_explorers: int = 2) -> Snapshot:
    models = [
        ModelView(
            1, "alpha", "a", GROQ, context_window=128_000, tools=True, vision=True, limits={"rpm": 30, "tpm": 6000}
        ),
        ModelView(2, "beta", "b", HUB, tag="openrouter/x", tools=True, vision=None, limits={"rpm": 20, "rpd": 200}),
        ModelView(3, "gamma", "c", GROQ, context_window=32_000, tools=False, reasoning=True),
    ]
    collections = [
        CollectionView(1, "solo", ("alpha",), created=1_790_000_000),
        CollectionView(
            2, "agents", ("alpha", "beta"), "code", "route", "gamma", "tool work", ("agents",), created=1_790_000_001
        ),
        CollectionView(3, "quiet", ("alpha", "gamma"), max_explorers=0),
        CollectionView(4, "wide", ("alpha",), reply="choices"),
    ]
    aliases = {"gpt-oss:20b": "bench/solo:route", "claude-sonnet-5": "bench/agents", "gpt-5.5": "bench/quiet:merged"}
    return Snapshot(
        models={model.alias: model for model in models},
        collections={view.name: view for view in collections},
        aliases=aliases,
        max_calls=max_calls,
        max_explorers=max_explorers,
    )


@pytest.fixture(autouse=True)
def _every_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is listed depends on what the server answers; here it answers in every way."""
    monkeypatch.setattr(listing, "SERVED_MODES", EVERY_MODE)


def ids(caller: Caller = LOCAL) -> list[str]:
    return [entry.id for entry in list_entries(snapshot(), caller)]


def test_each_collection_is_listed_as_set_and_once_for_every_other_mode() -> None:
    assert ids() == [
        *("bench/agents", "bench/agents:all", "bench/agents:merged"),
        *("bench/quiet", "bench/quiet:merged", "bench/quiet:route"),
        *("bench/solo", "bench/solo:merged", "bench/solo:route"),
        *("bench/wide", "bench/wide:all", "bench/wide:merged", "bench/wide:route"),
        *("claude-sonnet-5", "gpt-5.5", "gpt-oss:20b"),
    ]


@pytest.mark.parametrize(
    ("served", "listed"),
    [
        ((), set()),
        (("all",), {"bench/agents:all", "bench/quiet", "bench/solo", "bench/wide:all"}),
        (
            ("all", "route"),
            {
                *("bench/agents", "bench/agents:all", "bench/quiet", "bench/quiet:route"),
                *("bench/solo", "bench/solo:route", "bench/wide:all", "bench/wide:route"),
                *("claude-sonnet-5", "gpt-oss:20b"),
            },
        ),
        (("choices",), {"bench/wide"}),
    ],
)
def test_only_what_would_be_answered_is_listed(
    monkeypatch: pytest.MonkeyPatch, served: tuple[str, ...], listed: set[str]
) -> None:
    every = ids()
    monkeypatch.setattr(listing, "SERVED_MODES", served)
    assert set(ids()) == listed
    for name in every:
        assert (find_entry(snapshot(), LOCAL, name) is not None) == (name in listed)


def test_an_alias_says_what_its_collection_says_and_how_it_is_answered() -> None:
    for name, stands_for in snapshot().aliases.items():
        alias, entry = (msgspec.to_builtins(find_entry(snapshot(), LOCAL, model)) for model in (name, stands_for))
        assert alias == entry | {"id": name}
        assert alias["reply"] == {"gpt-oss:20b": "route", "claude-sonnet-5": "route", "gpt-5.5": "merged"}[name]


def test_an_entry_says_all_there_is_to_know() -> None:
    entry = find_entry(snapshot(), LOCAL, "bench/agents:merged")
    assert msgspec.to_builtins(entry) == {
        "id": "bench/agents:merged",
        "object": "model",
        "created": 1_790_000_001,
        "owned_by": "benchwarmers",
        "description": "tool work",
        "tags": ["agents"],
        "members": ["alpha", "beta"],
        "shape": "code",
        "explorers": 2,
        "reply": "merged",
        "merger": "gamma",
        "together": {
            "context_window": 128_000,
            "context_unknown": ["beta"],
            "capabilities": ["tools"],
            "connections": ["groq", "openrouter"],
            "limits": {"rpm": 20, "rpd": 200, "tpm": 6000, "tpd": None},
        },
    }


def test_a_capability_is_shared_only_when_every_member_surely_has_it() -> None:
    entry = find_entry(snapshot(), LOCAL, "quiet")
    assert entry is not None
    assert entry.together.capabilities == []
    assert entry.together.context_window == 32_000


@pytest.mark.parametrize(
    ("name", "max_calls", "max_explorers", "expected"),
    [("solo", 5, 2, 2), ("solo", 2, 2, 1), ("solo", 1, 2, 0), ("agents", 5, 1, 1), ("quiet", 5, 2, 0)],
)
def test_explorers_follow_the_settings_unless_the_collection_says_otherwise(
    name: str, max_calls: int, max_explorers: int, expected: int
) -> None:
    entry = find_entry(snapshot(max_calls=max_calls, max_explorers=max_explorers), LOCAL, name)
    assert entry is not None
    assert entry.explorers == expected


def test_a_scoped_key_sees_its_own_collections_only() -> None:
    caller = Caller("k", 1, 1, frozenset({"solo", "gone"}))
    assert ids(caller) == ["bench/solo", "bench/solo:merged", "bench/solo:route", "gpt-oss:20b"]
    assert find_entry(snapshot(), caller, "bench/agents") is None
    assert find_entry(snapshot(), caller, "claude-sonnet-5") is None


def test_an_empty_scope_sees_nothing() -> None:
    assert ids(Caller("k", 1, 1, frozenset())) == []


@pytest.mark.parametrize(
    ("model", "found"),
    [
        ("bench/solo", "bench/solo"),
        ("solo", "bench/solo"),
        ("solo:all", "bench/solo:all"),
        ("bench/solo:choices", "bench/solo:choices"),
        ("gpt-oss:20b", "gpt-oss:20b"),
        ("gpt-5.5:latest", "gpt-5.5"),
        ("models/gpt-5.5", "gpt-5.5"),
        ("gpt-5.5:route", None),
        ("bench/gpt-5.5", None),
        ("bench/solo:latest", None),
        ("bench/nobody", None),
        ("bench/", None),
        ("", None),
    ],
)
def test_one_entry_is_found_by_any_of_its_names(model: str, found: str | None) -> None:
    entry = find_entry(snapshot(), LOCAL, model)
    assert (entry.id if entry else None) == found
