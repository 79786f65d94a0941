"""The listing in the words of each API."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from gateway.api import listing
from gateway.api.listing import Entry, find_entry, list_entries
from gateway.api.listing_codex import codex_models
from gateway.api.listing_forms import OLLAMA_VERSION, list_document, ollama_ps, ollama_show, ollama_tags, one_document
from gateway.api.zones import Format
from gateway.engine.snapshot import Caller, Snapshot
from gateway.tests.api.test_listing import EVERY_MODE, LOCAL, snapshot

WHEN = "2026-09-21T14:13:21Z"


@pytest.fixture(autouse=True)
def _every_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "SERVED_MODES", EVERY_MODE)


def entry(name: str) -> Entry:
    found = find_entry(snapshot(), LOCAL, name)
    assert found is not None
    return found


def entries() -> list[Entry]:
    return list_entries(snapshot(), LOCAL)


def test_openais_clients_get_all_that_is_known() -> None:
    document: Any = list_document(Format.CHAT, entries())
    assert document["object"] == "list"
    assert document["data"][0] == one_document(Format.RESPONSES, entry("agents"))
    assert document["data"][0]["together"]["capabilities"] == ["tools"]


def test_anthropics_clients_get_one_page_with_its_ends() -> None:
    document: Any = list_document(Format.ANTHROPIC, entries())
    assert document["data"][1] == {
        "type": "model",
        "id": "bench/agents:all",
        "display_name": "agents (all)",
        "created_at": WHEN,
        "lifecycle": "active",
        "max_input_tokens": 128_000,
    }
    assert (document["has_more"], document["first_id"]) == (False, "bench/agents")
    assert document["last_id"] == "gpt-oss:20b"


def test_an_empty_page_has_no_ends() -> None:
    assert list_document(Format.ANTHROPIC, list_entries(Snapshot(), LOCAL)) == {
        "data": [],
        "has_more": False,
        "first_id": None,
        "last_id": None,
    }


def test_geminis_clients_get_names_of_models_and_no_unknown_field() -> None:
    document: Any = list_document(Format.GEMINI, entries())
    assert document["models"][0] == {
        "name": "models/bench/agents",
        "baseModelId": "bench/agents",
        "version": "1",
        "displayName": "agents",
        "description": "tool work",
        "inputTokenLimit": 128_000,
        "supportedGenerationMethods": ["generateContent", "streamGenerateContent", "countTokens"],
    }


def test_ollamas_tags_have_a_digest_of_their_own() -> None:
    document: Any = ollama_tags(entries())
    first = document["models"][0]
    assert (first["name"], first["model"], first["modified_at"]) == ("bench/agents", "bench/agents", WHEN)
    assert first["details"]["family"] == "benchwarmers"
    assert len({tag["digest"] for tag in document["models"]}) == len(document["models"])
    assert all(len(tag["digest"]) == 64 for tag in document["models"])


def test_ollama_is_told_that_all_that_can_be_asked_is_loaded() -> None:
    document: Any = ollama_ps(entries(), datetime(2026, 11, 29, 10, 15, tzinfo=UTC))
    tags: Any = ollama_tags(entries())
    told = {(model["name"], model["model"], model["digest"]) for model in document["models"]}
    assert told == {(model["name"], model["model"], model["digest"]) for model in tags["models"]}
    assert {model["expires_at"] for model in document["models"]} == {"2026-11-29T10:20:00Z"}
    assert {model["size_vram"] for model in document["models"]} == {0}


@pytest.mark.parametrize(
    ("name", "capabilities"),
    [
        ("solo", ["completion", "vision"]),
        ("solo:route", ["completion", "vision", "tools"]),
        ("agents", ["completion", "tools"]),
        ("agents:all", ["completion"]),
        ("quiet", ["completion"]),
    ],
)
def test_ollamas_particulars_say_what_can_be_used(name: str, capabilities: list[str]) -> None:
    assert ollama_show(entry(name))["capabilities"] == capabilities


def test_ollamas_particulars_have_the_window() -> None:
    shown: Any = ollama_show(entry("agents:merged"))
    assert shown["modelfile"] == "# tool work\n"
    assert shown["model_info"] == {
        "general.architecture": "benchwarmers",
        "general.basename": "agents",
        "benchwarmers.context_length": 128_000,
    }


def test_ollamas_version_is_one_that_codex_asks_responses_of() -> None:
    assert tuple(int(part) for part in OLLAMA_VERSION.split(".")) >= (0, 13, 4)


REQUIRED_BY_CODEX = {
    *("slug", "display_name", "description", "supported_reasoning_levels", "shell_type", "visibility"),
    *("supported_in_api", "priority", "upgrade", "base_instructions", "supports_reasoning_summaries"),
    *("support_verbosity", "default_verbosity", "apply_patch_tool_type", "truncation_policy"),
    *("supports_parallel_tool_calls", "experimental_supported_tools", "context_window", "input_modalities"),
}


def test_codex_finds_every_field_that_it_requires() -> None:
    for place, model in enumerate(codex_models(entries())):
        assert set(model) >= REQUIRED_BY_CODEX
        assert model["priority"] == place
        assert model["base_instructions"]


def test_codex_learns_window_eyes_and_reasoning() -> None:
    solo, agents = (
        next(m for m in codex_models(entries()) if m["slug"] == f"bench/{name}") for name in ("solo", "agents")
    )
    assert solo["input_modalities"] == ["text", "image"]
    assert agents["input_modalities"] == ["text"]
    assert agents["context_window"] == 128_000
    assert (agents["default_reasoning_level"], agents["supported_reasoning_levels"]) == (None, [])
    assert (agents["shell_type"], agents["apply_patch_tool_type"]) == ("shell_command", "freeform")


def test_codex_is_offered_levels_where_every_member_reasons() -> None:
    known = snapshot()
    thinkers = [model for model in known.models.values() if model.reasoning]
    collection = next(iter(known.collections.values()))
    alone = Snapshot(
        models={model.alias: model for model in thinkers},
        collections={"deep": type(collection)(9, "deep", tuple(model.alias for model in thinkers))},
    )
    (model, *_) = codex_models(list_entries(alone, Caller("local")))
    levels: Any = model["supported_reasoning_levels"]
    assert [level["effort"] for level in levels] == ["low", "medium", "high"]
    assert model["default_reasoning_level"] == "medium"


def test_an_alias_is_told_in_every_format_under_its_own_name() -> None:
    openai: Any = list_document(Format.CHAT, entries())
    anthropic: Any = list_document(Format.ANTHROPIC, entries())
    gemini: Any = list_document(Format.GEMINI, entries())
    ollama: Any = ollama_tags(entries())
    codex: Any = codex_models(entries())
    expected = ["claude-sonnet-5", "gpt-5.5", "gpt-oss:20b"]
    assert [one["id"] for one in openai["data"]][-3:] == expected
    assert [(one["id"], one["display_name"]) for one in anthropic["data"]][-3:] == [(name, name) for name in expected]
    assert [(one["name"], one["displayName"]) for one in gemini["models"]][-3:] == [
        (f"models/{name}", name) for name in expected
    ]
    assert [one["name"] for one in ollama["models"]][-3:] == expected
    assert [(one["slug"], one["display_name"]) for one in codex][-3:] == [(name, name) for name in expected]
    assert "tools" in ollama_show(entry("claude-sonnet-5"))["capabilities"]  # type: ignore[operator]
