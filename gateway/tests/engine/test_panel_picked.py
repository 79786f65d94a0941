"""A panel whose shape nobody set asks the picker first, and only then."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from collections_app.models import Collection, DecisionModel, LanguageModel
from gateway.canon.ask import Ask
from gateway.canon.fault import TooLarge
from gateway.engine.bench import Bench
from gateway.tests.engine.deciding import Query, Table, answers, make_decider
from gateway.tests.engine.rooms import open_panel
from gateway.tests.engine.upstream import ANSWER, Line, Request, upstream
from gateway.tests.engine.world import ask


@pytest_asyncio.fixture
async def table(bench: Bench, query: Query) -> AsyncIterator[Table]:
    """`jury` picks code; `core` has the member m1 and no shape."""

    async def either(line: Line, request: Request) -> None:
        await (answers() if "/decisions" in request.line else ANSWER)(line, request)

    async with upstream(either) as provider:

        def rows() -> None:
            make_decider(provider.base)
            oracle = DecisionModel.objects.get().via
            core = Collection.objects.create(name="core")
            core.seatings.create(
                language_model=LanguageModel.objects.create(alias="m1", served="lab/m1", endpoint=oracle), place=1
            )

        await query(rows)
        one = Table(bench, query, provider)
        await one.snapshot()
        yield one


async def shape_of(table: Table, asked: Ask) -> tuple[str, str, int]:
    """(shape, by whom, how often the picker was asked)."""
    await table.snapshot()
    run = await open_panel(table.bench, asked)
    _ = [event async for event in run.events()]
    return run.plan.shape, run.plan.shape_by, asked_of(table)


def asked_of(table: Table) -> int:
    return sum("/decisions" in request.line for request in table.provider.requests)


async def test_the_picker_gives_a_panel_its_shape(table: Table) -> None:
    assert await shape_of(table, ask("Write a parser.")) == ("code", "jury, 0.97", 1)
    assert await shape_of(table, ask("Write a parser.")) == ("code", "jury, 0.97", 1)


@pytest.mark.parametrize(
    ("facts", "shape", "shape_by"),
    [
        ({"shape": "review"}, "review", "set on the collection"),
        ({"max_explorers": 0}, "general", "no explorer seats to fill"),
    ],
)
async def test_a_collection_that_decides_asks_nobody(
    table: Table, facts: dict[str, Any], shape: str, shape_by: str
) -> None:
    await table.query(lambda: Collection.objects.update(**facts))
    assert await shape_of(table, ask("Write a parser.")) == (shape, shape_by, 0)


async def test_images_and_a_prompt_that_is_too_large_ask_nobody(table: Table) -> None:
    await table.query(lambda: LanguageModel.objects.get().facts.create(field="vision", value=True, source="operator"))
    assert await shape_of(table, ask(images=1)) == ("vision", "the request carries images", 0)
    await table.query(
        lambda: LanguageModel.objects.get().facts.create(field="context_window", value=600, source="operator")
    )
    await table.snapshot()
    with pytest.raises(TooLarge):
        await open_panel(table.bench, ask("word " * 4_000))
    assert asked_of(table) == 0
