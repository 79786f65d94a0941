"""Conversations with agents, written by the recorder's own hand, as they look after a working day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateway.engine.records import Record, TurnMade

LIMIT = "429 from harbour: rate limit reached, try again in 40 s"


@dataclass(frozen=True)
class Took:
    """One turn: who answered (nobody when empty), how it ended, the tools called and who had failed before."""

    alias: str = ""
    status: str = "ok"
    tools: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    error: str = ""
    seconds: float = 4.2


def make_talk(
    started: datetime,
    collection: str,
    task: str,
    turns: list[Took],
    *,
    owner: str | None = "maya",
    number: int = 0,
    protocol: str = "anthropic",
) -> str:
    """A conversation with its turns and the unjudged evidence of each who answered; returns its id."""
    from gateway.engine.batch import write_records

    key = f"r{started:%Y%m%d-%H%M%S}-{number:04x}"
    write_records(records_of(key, started, collection, task, turns, owner=owner, protocol=protocol))
    return key


def add_turn(key: str, took: Took, at: datetime) -> None:
    """One turn more in a conversation that is there."""
    from gateway.engine.batch import write_records
    from gateway.models import Conversation

    talk = Conversation.objects.get(id=key)
    before = list(dict.fromkeys(talk.turns.exclude(call="").order_by("id").values_list("alias", flat=True)))
    place = before.index(took.alias) if took.alias in before else len(before)
    owner = talk.owner.get_username() if talk.owner else None
    count = talk.turns.count()
    made = _turn(key, at, talk.collection_name, talk.task, took, count + 1, place, owner, talk.protocol)
    write_records([made, *_work(made, new=took.alias not in before)])


def records_of(
    key: str, started: datetime, collection: str, task: str, turns: list[Took], *, owner: str | None, protocol: str
) -> list[Record]:
    """What the engine puts down for these turns, half a minute apart."""
    records: list[Record] = []
    answered: list[str] = []
    for number, took in enumerate(turns, 1):
        new = bool(took.alias) and took.alias not in answered
        answered += [took.alias] if new else []
        place = answered.index(took.alias) if took.alias else 0
        at = started + timedelta(seconds=30 * (number - 1))
        made = _turn(key, at, collection, task, took, number, place, owner, protocol)
        records += [made, *_work(made, new=new)]
    return records


def _turn(
    key: str,
    at: datetime,
    collection: str,
    task: str,
    took: Took,
    number: int,
    place: int,
    owner: str | None,
    protocol: str,
) -> TurnMade:
    from django.contrib.auth.models import User

    from collections_app.models import Collection, LanguageModel
    from gateway.canon.event import Finish, Usage
    from gateway.engine.records import TurnMade

    model = LanguageModel.objects.filter(alias=took.alias).first()
    where = Collection.objects.filter(name=collection).first()
    return TurnMade(
        conversation_id=key,
        call=f"{key}.{place + 1}" if took.alias else "",
        at=at,
        done_at=at + timedelta(seconds=took.seconds),
        turn=number,
        alias=took.alias,
        language_model_id=model.pk if model else None,
        owner_id=User.objects.get(username=owner).pk if owner else None,
        key_id=None,
        caller=owner or "local",
        collection_id=where.pk if where else None,
        collection_name=collection,
        protocol=protocol,
        task=task,
        status=took.status,
        seconds=took.seconds,
        first_token_s=took.seconds / 6 if took.alias else None,
        tool_calls=took.tools,
        finish="" if not took.alias else Finish.TOOL_USE if took.tools else Finish.STOP,
        usage=Usage(2_400 + 800 * number, 60 * number, reasoning=24 * number) if took.alias else None,
        tried=[{"alias": one, "error": LIMIT} for one in took.tried],
        error=took.error,
    )


def _work(made: TurnMade, *, new: bool) -> list[Record]:
    from gateway.engine.records import Work

    if not new or made.language_model_id is None:
        return []
    where = (made.collection_id, made.collection_name, "route", "", made.task, made.status, made.done_at)
    return [Work(made.call, made.language_model_id, *where)]


def make_day(now: datetime) -> str:
    """The conversations of a day; returns the id of one that shows everything at once."""
    from benchwarmers.tests.pages.shades import shade

    read, edit, shell = "Read", "Edit", "Bash"
    showpiece = [
        Took("granite-l", tools=(read, read, "Grep")),
        Took("granite-l", tools=(read, edit)),
        Took("osprey", tools=(shell,), tried=("granite-l",), seconds=11.8),
        Took("osprey", tools=("mcp__issue_tracker__search_open_issues_by_label", read, read)),
        Took(
            status="error", tried=("osprey", "granite-l"), error="No member of bench/core took this turn.", seconds=2.3
        ),
        Took("osprey", "error", error="osprey failed part way through the turn: the stream broke off", seconds=71.4),
        Took(status="cancelled", seconds=6.1),
        Took("osprey", tools=(edit, shell)),
        Took("osprey"),
    ]
    task = "The export test fails since the last merge. Find out why, fix it, and run the whole suite"
    key = make_talk(now - timedelta(minutes=7), "core", task, showpiece, number=0x0A9B)
    shade(key)
    kinds = [
        (
            "reviewers",
            "Review the open pull request and leave comments where a reader would stumble",
            "openai_responses",
        ),
        ("core", "Upgrade the date library and mend what breaks", "anthropic"),
        ("quick", "Write a changelog entry for what is staged", "openai_chat"),
        ("core", "Why is the first request after a deploy so slow?", "gemini"),
    ]
    for number in range(45):
        collection, task, protocol = kinds[number % len(kinds)]
        turns = [Took("wren", tools=(read,) * (1 + place % 3)) for place in range(2 + number * 7 % 23)]
        if number % 5 == 0:
            turns.append(Took("quill-2", tools=(shell,), tried=("wren",)))
        if number % 9 == 4:
            turns = [Took(status="error", tried=("wren",), error="No member took this turn.")]
        started = now - timedelta(minutes=40 + 37 * number)
        owner = ("maya", "ben", "boss")[number % 3]
        make_talk(started, collection, task, turns, owner=owner, number=number, protocol=protocol)
    return key
