"""The queue: what is refused before anything runs, how batches grow, stop, are cleared and tried again."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.retirement import do_restore_model, do_retire_model
from collections_app.refusal import NotAllowed, NotThere, Refused
from collections_app.tests.conftest import bumps, world
from collections_app.tests.world import World
from gateway.canon.kinds import JobState
from probes.jobs import store
from probes.listing_forms import Listed
from probes.models import Job
from probes.onboarding.items import Item
from probes.onboarding.queue import (
    STOPPED,
    current_batch,
    do_clear,
    do_onboard,
    do_retry,
    do_retry_model,
    do_stop,
    lane_of,
    queue,
)
from probes.tests.jobs.given import NOW

__all__ = ["bumps", "world"]


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    cache.clear()


def ask(world: World, *served: str, endpoint: str = "north", mode: str = "full") -> list[Job]:
    return do_onboard(actor=world.alice, items=[Item(endpoint, name, mode) for name in served], now=NOW)


def run(job: Job, state: JobState | None = None) -> Job:
    """Claimed, and ended if a state is given."""
    claimed = store.claim(job.pk, "worker", NOW)
    assert claimed is not None
    if state is not None:
        assert store.end(claimed, state, "so it went", NOW)
    return claimed


def states() -> dict[str, str]:
    return dict(queue().values_list("key", "state"))


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (Item("north", "a/b", "slow"), "The mode is one of full, quick, quick-adhoc"),
        (Item("north", "a b"), "no name that can be taken on"),
        (Item("north", ""), "no name that can be taken on"),
        (Item("north", "x" * 201), "no name that can be taken on"),
        (Item("nowhere", "a/b"), "no endpoint “nowhere”"),
        (Item("north", "vendor/fast-1"), "on the bench already: fast on north"),
        (Item("south", "maker/tiny-1b"), "Restore tiny: it keeps its name"),
        (Item("south", "fine/already"), "under way already"),
        (Item("north", "模型"), "No alias can be derived from 模型"),
        (Item("north", "fine/two", alias="c d"), "An alias has 2 to 64 characters"),
        (Item("north", "fine/two", alias="FAST"), "differs from fast only by case"),
        (Item("north", "模型", alias="slow"), "There is a model slow already"),
    ],
)
def test_one_bad_item_refuses_the_whole_batch(world: World, item: Item, words: str) -> None:
    do_retire_model(actor=None, alias="tiny", why="never used")
    ask(world, "fine/already", endpoint="south")
    with pytest.raises(Refused, match=words):
        do_onboard(actor=world.alice, items=[Item("north", "fine/one"), item], now=NOW)
    assert states() == {"south:fine/already": "queued"}


@pytest.mark.parametrize(("count", "words"), [(0, "at least one"), (51, "At most 50")])
def test_a_batch_has_1_to_50_models(world: World, count: int, words: str) -> None:
    with pytest.raises(Refused, match=words):
        ask(world, *(f"m-{number}" for number in range(count)))


def test_the_same_model_twice_is_refused_and_on_two_endpoints_is_fine(world: World) -> None:
    with pytest.raises(Refused, match="named twice"):
        ask(world, "a/b", "a/b")
    do_onboard(actor=world.alice, items=[Item("north", "a/b"), Item("south", "a/b")], now=NOW)
    assert set(states()) == {"north:a/b", "south:a/b"}


def test_a_retired_model_that_is_restored_needs_no_onboarding(world: World) -> None:
    do_retire_model(actor=None, alias="tiny", why="never used")
    do_restore_model(actor=None, alias="tiny")
    with pytest.raises(Refused, match="on the bench already: tiny"):
        ask(world, "maker/tiny-1b", endpoint="south")


def test_who_may_not_take_models_on_is_refused(world: World) -> None:
    with pytest.raises(NotAllowed):
        do_onboard(actor=world.bob, items=[Item("north", "a/b")], now=NOW)
    for act in (do_stop, do_retry, do_retry_model, do_clear):
        more: dict[str, Any] = {"now": NOW} if act is not do_clear else {}
        more |= {"job_id": 1} if act is do_retry else {"alias": "fast"} if act is do_retry_model else {}
        with pytest.raises(NotAllowed):
            act(actor=world.bob, **more)


def test_each_connection_has_a_lane_of_its_own(world: World) -> None:
    one, two = ask(world, "a/1", "a/2")
    (other,) = ask(world, "a/1", endpoint="south")
    run(one)
    assert store.claim(two.pk, "worker", NOW) is None
    run(other)


def test_behind_a_hub_the_lane_is_the_connection_or_the_hub_s_unknown_one(world: World) -> None:
    hub = do_save_endpoint(actor=None, name="hub", base="http://127.0.0.1:3000/api", kind="hub")
    lister = lambda endpoint: [Listed("g", connection="groq/meta"), Listed("u")]  # noqa: E731
    assert lane_of(hub, "g", NOW, lister) == "groq"
    assert lane_of(hub, "u", NOW, lister) == lane_of(hub, "not listed", NOW, lister) == "hub/?"


def test_while_one_is_open_others_join_its_batch_and_afterwards_a_new_one_begins(world: World) -> None:
    (one,) = ask(world, "a/1")
    (two,) = ask(world, "a/2")
    assert one.batch == two.batch == current_batch()
    run(one, JobState.DONE)
    run(two, JobState.FAILED)
    (three,) = ask(world, "a/3")
    assert three.batch != one.batch
    assert states() == {"north:a/3": "queued"}


def test_stop_skips_what_waits_lets_the_running_one_finish_and_what_is_added_then_runs(world: World) -> None:
    one, _two = ask(world, "a/1", "a/2")
    running = run(one)
    assert do_stop(actor=world.alice, now=NOW) == 1
    assert states() == {"north:a/1": "running", "north:a/2": "skipped"}
    assert Job.objects.get(key="north:a/2").note == STOPPED
    assert not Job.objects.get(pk=one.pk).stop_asked
    (three,) = ask(world, "a/3")
    assert three.batch == one.batch
    store.end(running, JobState.DONE, "", NOW)
    run(three, JobState.DONE)
    assert states() == {"north:a/1": "done", "north:a/2": "skipped", "north:a/3": "done"}


def test_clear_is_refused_while_one_is_open_and_keeps_the_output(world: World) -> None:
    (one,) = ask(world, "a/1")
    with pytest.raises(Refused, match="not at its end"):
        do_clear(actor=world.alice)
    claimed = run(one)
    store.say(claimed, "hello", NOW)
    store.end(claimed, JobState.DONE, "", NOW)
    assert do_clear(actor=world.alice) == 1
    assert states() == {}
    assert Job.objects.get(pk=one.pk).lines.get().text == "hello"


@pytest.mark.parametrize("state", [JobState.FAILED, JobState.NO_ANSWER, JobState.SKIPPED])
def test_what_ended_without_an_answer_is_tried_again_in_its_place(world: World, state: JobState) -> None:
    (one,) = ask(world, "a/1", mode="quick-adhoc")
    run(one, state)
    again = do_retry(actor=world.alice, job_id=one.pk, now=NOW)
    assert again.pk != one.pk
    assert again.payload == one.payload
    assert list(queue()) == [again]
    with pytest.raises(Refused, match="under way already"):
        do_retry(actor=world.alice, job_id=one.pk, now=NOW)


def test_what_is_done_or_gone_is_not_tried_again(world: World) -> None:
    (one,) = ask(world, "a/1")
    run(one, JobState.DONE)
    with pytest.raises(Refused, match="It is done"):
        do_retry(actor=world.alice, job_id=one.pk, now=NOW)
    with pytest.raises(NotThere):
        do_retry(actor=world.alice, job_id=999, now=NOW)


def test_a_model_on_the_bench_is_tried_again_by_its_alias_unless_it_is_retired(world: World) -> None:
    job = do_retry_model(actor=world.alice, alias="fast", now=NOW)
    assert (job.key, job.payload["mode"], job.lane) == ("north:vendor/fast-1", "quick", "north")
    do_retire_model(actor=None, alias="slow")
    with pytest.raises(Refused, match="Restore slow"):
        do_retry_model(actor=world.alice, alias="slow", now=NOW)
