"""The copies that come with the program."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from probes.catalog.knowledge import gather
from probes.catalog.names import MODELS_DEV
from probes.catalog.offers import build
from probes.catalog.shipped import FILE, load_shipped
from probes.catalog.sources import FreeLlmApi, ModelsDev
from probes.catalog.store_feeds import keep_feed
from probes.models import Feed
from probes.tests.catalog import feeds
from probes.tests.catalog.given import BODIES, at_hand
from probes.tests.jobs.given import NOW


def test_the_shipped_copies_are_small_whole_and_without_prose() -> None:
    packed = FILE.read_bytes()
    assert len(packed) < 300_000
    text = gzip.decompress(packed).decode()
    document = json.loads(text)[MODELS_DEV]["document"]
    offers = build(ModelsDev(document), FreeLlmApi([]))
    assert len(offers) > 3_000
    assert len({provider for provider, _ in offers}) > 100
    assert not {"description", "name", "doc"} & {key for entry in document.values() for key in _keys(entry)}


def _keys(entry: dict[str, object]) -> set[str]:
    models = entry["models"]
    assert isinstance(models, dict)
    return set(entry) | {key for model in models.values() for key in model}


@pytest.mark.django_db
def test_a_first_start_knows_models_without_asking_anybody() -> None:
    knowledge = gather()
    feed = Feed.objects.get(name=MODELS_DEV)
    assert (feed.shipped, feed.tried_at) == (True, None)
    assert "groq" in knowledge.models_dev.known
    assert knowledge.live == frozenset()


@pytest.mark.django_db
def test_the_shipped_copy_replaces_an_older_shipped_one_and_never_a_fetched_one() -> None:
    assert load_shipped() == [MODELS_DEV]
    assert load_shipped() == []
    Feed.objects.update(fetched_at=datetime(2020, 1, 1, tzinfo=UTC))
    assert load_shipped() == [MODELS_DEV]
    at_hand(NOW - timedelta(days=5_000))
    assert load_shipped() == []
    assert Feed.objects.get(name=MODELS_DEV).shipped is False


@pytest.mark.django_db
def test_a_feed_that_was_tried_in_vain_before_still_gets_the_shipped_copy() -> None:
    Feed.objects.create(name=MODELS_DEV, trouble="no route", tried_at=NOW)
    assert load_shipped() == [MODELS_DEV]


@pytest.mark.django_db
def test_a_copy_that_cannot_be_read_is_as_none() -> None:
    keep_feed(MODELS_DEV, BODIES[MODELS_DEV], NOW)
    Feed.objects.filter(name=MODELS_DEV).update(body=b"broken")
    assert gather().models_dev.providers == {}


def test_the_command_pares_feeds_to_facts(tmp_path: Path) -> None:
    files = []
    for name, body in BODIES.items():
        files.append(tmp_path / name)
        files[-1].write_bytes(gzip.compress(body) if name == MODELS_DEV else body)
    target, said = tmp_path / "out.gz", StringIO()
    call_command("ship_catalog", *map(str, files), "--made", "2026-11-30", "--to", str(target), stdout=said)
    first = target.read_bytes()
    call_command("ship_catalog", *map(str, files), "--made", "2026-11-30", "--to", str(target), stdout=said)
    shipped = json.loads(gzip.decompress(first))
    assert target.read_bytes() == first
    assert set(shipped) == set(BODIES)
    assert shipped[MODELS_DEV]["made"] == "2026-11-30"
    assert "A large model" not in gzip.decompress(first).decode()
    assert build(ModelsDev(shipped[MODELS_DEV]["document"]), FreeLlmApi(shipped["freellmapi"]["document"])).keys() == (
        build(ModelsDev(feeds.MODELS_DEV), FreeLlmApi(feeds.FREELLMAPI)).keys()
    )


def test_the_command_refuses_what_is_no_feed_and_no_day(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text('{"error": 1}')
    for made, words in (("2026-11-30", "is no copy of"), ("today", "is no day")):
        with pytest.raises(CommandError, match=words):
            call_command("ship_catalog", str(file), "--made", made, "--to", str(tmp_path / "out"))
