"""A hub lists models under other names since a connection got a prefix: they are pointed there, never retired."""

from __future__ import annotations

from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.language_model import do_save_model
from collections_app.models import Change, Endpoint, LanguageModel
from collections_app.refusal import Refused
from collections_app.tests.world import World
from gateway.canon.fault import Unreachable
from probes.health.renamed import renamed_to
from probes.health.repoint import do_follow_rename
from probes.health.store_served import note_listing
from probes.listing import Listed
from probes.models import Served

NOW = datetime(2026, 3, 20, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("served", "listed", "hub", "found"),
    [
        ("qwen3:8b", ["attic.qwen3:8b"], "openwebui", "attic.qwen3:8b"),
        ("qwen3:8b", ["attic.qwen3:8b", "qwen3:8b"], "openwebui", ""),
        ("qwen3:8b", ["attic.qwen3:8b", "cellar.qwen3:8b"], "openwebui", ""),
        ("qwen3:8b", ["attic.qwen3:8b"], "litellm", ""),
        ("qwen3:8b", ["xqwen3:8b", ".qwen3:8b"], "openwebui", ""),
        ("a.b", ["x.a.b"], "openwebui", "x.a.b"),
    ],
)
def test_the_one_name_with_a_prefix_is_found(served: str, listed: list[str], hub: str, found: str) -> None:
    assert renamed_to(served, listed, hub) == found


@pytest.fixture
def hub(world: World) -> Endpoint:
    """With two models of the connection attic, of which one is listed under a prefix by now."""
    do_save_endpoint(actor=None, name="hub", base="https://hub.example/api", kind="hub", hub="openwebui")
    for alias in ("qwen", "phi"):
        do_save_model(actor=None, alias=alias, served=f"{alias}:8b", endpoint="hub", tag="attic")
    hub = world.endpoint("hub")
    note_listing(hub, ["qwen:8b", "phi:8b"], NOW)
    note_listing(hub, ["attic.qwen:8b", "phi:8b"], NOW)
    return hub


def listing(endpoint: Endpoint) -> list[Listed]:
    return [Listed("attic.qwen:8b"), Listed("phi:8b")]


def test_a_model_follows_its_name_with_what_was_seen_of_it(hub: Endpoint) -> None:
    row = do_follow_rename(actor=None, alias="qwen", lister=listing)
    assert (row.alias, row.served) == ("qwen", "attic.qwen:8b")
    seen = Served.objects.get(endpoint=hub, served="attic.qwen:8b")
    assert (seen.first_seen, seen.first_missing) == (NOW, None)
    assert not Served.objects.filter(served="qwen:8b").exists()
    assert Change.objects.get(field="served").new == "attic.qwen:8b"


def test_what_is_listed_as_ever_or_cannot_be_listed_is_left_alone(hub: Endpoint) -> None:
    def away(endpoint: Endpoint) -> list[Listed]:
        raise Unreachable("no route to it")

    with pytest.raises(Refused, match="lists no other name that phi:8b could be"):
        do_follow_rename(actor=None, alias="phi", lister=listing)
    with pytest.raises(Refused, match="hub cannot be listed: no route to it"):
        do_follow_rename(actor=None, alias="qwen", lister=away)


def test_a_name_that_is_another_models_is_refused(hub: Endpoint) -> None:
    do_save_model(actor=None, alias="other", served="attic.qwen:8b", endpoint="hub")
    with pytest.raises(Refused, match=r"hub serves attic\.qwen:8b as other already"):
        do_follow_rename(actor=None, alias="qwen", lister=listing)
    with pytest.raises(Refused, match="is not phi:8b with another prefix or without"):
        do_follow_rename(actor=None, alias="phi", served="attic.gemma:8b")


def command(*words: str) -> str:
    out = StringIO()
    call_command("repoint_models", *words, stdout=out, lister=listing)
    return out.getvalue()


def test_the_command_says_what_it_would_do_and_does_it_when_told(hub: Endpoint) -> None:
    told = command("attic", "attic")
    assert told == "qwen: qwen:8b -> attic.qwen:8b\n1 of 2 models would be; repeat with --apply\n"
    assert LanguageModel.objects.get(alias="qwen").served == "qwen:8b"
    assert "1 of 2 models pointed to their new names" in command("attic", "attic", "--apply")
    assert LanguageModel.objects.get(alias="qwen").served == "attic.qwen:8b"
    assert "0 of 2" in command("attic", "attic", "--apply")
    with pytest.raises(CommandError, match="no model of a connection “loft”"):
        command("loft", "loft")
