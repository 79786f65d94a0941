"""Models whose connection got another prefix."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.language_model import do_save_model
from collections_app.actions.secret import do_save_secret
from collections_app.models import Change, Endpoint, LanguageModel
from collections_app.refusal import Refused
from collections_app.tests.world import World
from probes.hubs.rename import Move, decide_moves, rename_prefix
from probes.models import Served
from probes.tests.hubs.front import ADMIN, fronting
from probes.tests.hubs.scripted import model, openwebui

NOW = datetime(2026, 11, 30, tzinfo=UTC)
OR, LAN, UNTOLD = "openrouter", "lan-proxy", ""


@pytest.mark.parametrize(
    ("registered", "listed", "prefix", "former", "moves", "kept"),
    [
        ({"a": "m/a"}, {"or.m/a": OR}, "or", "", [Move("a", "m/a", "or.m/a")], []),
        ({"a": "m/a"}, {"or.m/a": OR, "m/a": LAN}, "or", "", [], []),
        ({"a": "m/a"}, {"or.m/a": LAN}, "or", "", [], ["a: or.m/a comes from lan-proxy, not from openrouter"]),
        ({"a": "m/a", "b": "or.m/a"}, {"or.m/a": OR}, "or", "", [], ["a: or.m/a is registered already"]),
        ({"a": "old.m/a"}, {"or.m/a": OR}, "or", "old", [Move("a", "old.m/a", "or.m/a")], []),
        ({"a": "old.m/a"}, {"m/a": OR}, "", "old", [Move("a", "old.m/a", "m/a")], []),
        ({"a": "old.m/a"}, {}, "or", "old", [], ["a: the hub lists neither old.m/a nor or.m/a"]),
        ({"a": "m/a"}, {}, "or", "", [], ["a: the hub lists neither m/a nor or.m/a"]),
        ({"a": "m/a"}, {"or.m/a": UNTOLD}, "or", "", [Move("a", "m/a", "or.m/a")], []),
        ({}, {"or.m/a": OR}, "or", "", [], []),
    ],
)
def test_a_model_moves_when_its_name_is_gone_and_the_prefixed_one_is_there(
    registered: dict[str, str],
    listed: dict[str, str],
    prefix: str,
    former: str,
    moves: list[Move],
    kept: list[str],
) -> None:
    renaming = decide_moves(registered, listed, "openrouter", prefix, former)

    assert (list(renaming.moves), list(renaming.kept)) == (moves, kept)


def _prefixed(root: str) -> Endpoint:
    there = do_save_endpoint(actor=None, name="there", base=f"{root}/api")
    do_save_secret(actor=None, name="there", plain=ADMIN)
    for alias, served, tag in (("one", "maker/one", "openrouter/maker"), ("home7", "home-7b", "lan-proxy")):
        do_save_model(actor=None, alias=alias, served=served, endpoint="there", tag=tag)
        seen = NOW - timedelta(days=9)
        Served.objects.create(endpoint=there, served=served, first_seen=seen, last_seen=seen, first_missing=seen)
    return there


def test_a_dry_run_changes_nothing_and_applying_moves_name_and_sightings_and_leaves_the_alias(world: World) -> None:
    scripted, _ = openwebui(models=[model("or.maker/one", 0, upstream="maker/one"), model("home-7b", 1)])
    with fronting(scripted) as root:
        there = _prefixed(root)
        dry = rename_prefix(there, "openrouter", "or", apply=False, actor=world.alice)
        assert LanguageModel.objects.get(alias="one").served == "maker/one"

        done = rename_prefix(there, "openrouter", "or", apply=True, actor=world.alice)

    assert dry.moves == done.moves == (Move("one", "maker/one", "or.maker/one"),)
    assert LanguageModel.objects.get(alias="one").served == "or.maker/one"
    assert LanguageModel.objects.get(alias="home7").served == "home-7b"
    (row,) = Served.objects.filter(served__contains="one")
    assert (row.served, row.first_seen, row.first_missing) == ("or.maker/one", NOW - timedelta(days=9), None)
    change = Change.objects.latest("id")
    assert (change.name, change.field, change.old, change.new) == ("one", "served", "maker/one", "or.maker/one")


def test_only_an_open_webui_has_such_prefixes(world: World) -> None:
    with pytest.raises(Refused, match="no Open WebUI"):
        rename_prefix(world.endpoint("north"), "openrouter", "or", apply=False, actor=None)


def test_a_prefix_is_one_word(world: World) -> None:
    there = do_save_endpoint(actor=None, name="there", base="https://chat.example/api")

    with pytest.raises(Refused, match="no prefix"):
        rename_prefix(there, "openrouter", "a b", apply=False, actor=None)
