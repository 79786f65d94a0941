"""Fills an empty database with people, models and panels as they look after a working day.

Run as a program it fills the database of the settings in force; tests call `seed` or the single makers.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from datetime import datetime, timedelta

PASSWORD = "bench and bibs and boots"


@dataclass(frozen=True)
class Played:
    """What one seat did."""

    label: str
    alias: str
    status: str = "ok"
    seconds: float = 0.0
    answer: str = ""
    error: str = ""
    why: str = ""
    first: float | None = None
    reasoning: str = ""


def make_people() -> None:
    """maya is curator, ben a caller, zoe a viewer; boss may do everything."""
    from django.contrib.auth.models import Group, User

    for name, group in (("maya", "curator"), ("ben", "caller"), ("zoe", "viewer")):
        User.objects.create_user(name, password=PASSWORD).groups.add(Group.objects.get(name=group))
    User.objects.create_superuser("boss", password=PASSWORD)


def make_models() -> None:
    """One provider, one practice squad, eight models and four collections."""
    from collections_app.models import Collection, Endpoint, LanguageModel

    provider = Endpoint.objects.create(name="harbour", base="https://models.example/v1", kind="provider")
    practice = Endpoint.objects.filter(kind="practice").first() or Endpoint.objects.create(
        name="squad", base="practice:", kind="practice"
    )
    for alias in ("granite-l", "heron-70b", "osprey", "quill-2", "tern-mini", "wren"):
        LanguageModel.objects.create(alias=alias, served=f"lab/{alias}", endpoint=provider)
    for alias in ("warmup-one", "warmup-two"):
        LanguageModel.objects.create(alias=alias, served=f"scripted/{alias}", endpoint=practice)
    for name in ("core", "reviewers", "quick", "practice"):
        Collection.objects.get_or_create(name=name)


def make_panel(
    started: datetime,
    collection: str,
    prompt: str,
    seats: list[Played],
    *,
    owner: str | None = "maya",
    number: int = 0,
    **more: object,
) -> str:
    """A panel with its seats and the unjudged evidence of those that finished; returns its id."""
    from django.contrib.auth.models import User

    from collections_app.models import Collection, Evidence, LanguageModel
    from gateway.models import Panel, Seat

    key = f"p{started:%Y%m%d-%H%M%S}-{number:04x}"
    running = any(seat.status in {"asked", "waiting"} for seat in seats)
    fields = {
        "shape": "review",
        "shape_by": "set on the collection",
        "reply": "all",
        "protocol": "chat completions",
        "state": "running" if running else "done",
        "finished_at": None
        if running
        else started + timedelta(seconds=max((s.seconds for s in seats), default=0) + 0.3),
    } | more
    panel = Panel.objects.create(
        id=key,
        owner=User.objects.get(username=owner) if owner else None,
        caller=owner or "local",
        collection=Collection.objects.filter(name=collection).first(),
        collection_name=collection,
        prompt=prompt,
        started_at=started,
        **fields,
    )
    members = 0
    for place, seat in enumerate(seats, 1):
        members += seat.label == "member"
        model = LanguageModel.objects.get(alias=seat.alias)
        call = f"{key}.{f'member{members}' if seat.label == 'member' else seat.label.replace(' ', '')}"
        answered = seat.status == "ok"
        Seat.objects.create(
            call=call,
            panel=panel,
            place=place,
            label=seat.label,
            alias=seat.alias,
            language_model=model,
            connection=model.endpoint.name,
            why=seat.why,
            status=seat.status,
            answer=seat.answer,
            reasoning=seat.reasoning,
            error=seat.error,
            seconds=seat.seconds,
            first_token_s=seat.first if answered else None,
            tokens_in=len(prompt) // 4 + 12,
            tokens_out=len(seat.answer) // 4 if answered else 0,
            finished_at=started + timedelta(seconds=seat.seconds) if seat.seconds else None,
        )
        if seat.status not in {"asked", "waiting"}:
            Evidence.objects.create(
                language_model=model,
                collection=panel.collection,
                collection_name=collection,
                kind="merger" if seat.label == "merger" else "seat",
                call=call,
                status=seat.status,
                at=started,
            )
    return key


def judge(
    person: str, call: str, useful: bool, note: str = "", real: tuple[str, ...] = (), false: tuple[str, ...] = ()
) -> None:
    """A person's verdict, by the same action as the form's."""
    from django.contrib.auth.models import User
    from django.utils import timezone

    from collections_app.actions.verdict import do_verdict

    do_verdict(
        actor=User.objects.get(username=person),
        judge_name=person,
        call=call,
        useful=useful,
        note=note,
        real=list(real),
        false=list(false),
        blank_keeps=False,
        now=timezone.now(),
    )


def make_showpiece(started: datetime) -> str:
    """The panel that shows everything at once: a failure, an empty answer, a merger, people who disagree."""
    from benchwarmers.tests.pages.texts import ANSWERS, PROMPTS, THOUGHT

    key = make_panel(
        started,
        "reviewers",
        PROMPTS["review"],
        [
            Played(
                "member",
                "granite-l",
                "ok",
                14.2,
                ANSWERS["sure"],
                why="first in the collection",
                first=1.9,
                reasoning=THOUGHT,
            ),
            Played("member", "heron-70b", "ok", 9.6, ANSWERS["brief"], why="second in the collection", first=0.7),
            Played(
                "member",
                "osprey",
                "error",
                2.1,
                error="429 from harbour: rate limit reached, try again in 40 s",
                why="third in the collection",
            ),
            Played(
                "explorer",
                "quill-2",
                "ok",
                21.8,
                ANSWERS["table"],
                why="not asked for 12 days, longest of the four that fit",
                first=4.6,
            ),
            Played("explorer 2", "wren", "empty", 6.4, why="not asked for 9 days"),
            Played(
                "merger",
                "granite-l",
                "ok",
                8.3,
                ANSWERS["merged"],
                why="most useful answers in this collection",
                first=1.2,
            ),
        ],
        number=0x7C1E,
        reply="merged",
        skipped=[{"seat": "member", "alias": "tern-mini", "why": "rests after a rate limit until 17:20"}],
        finished_at=started + timedelta(seconds=30.4),
    )
    judge(
        "ben",
        f"{key}.member1",
        True,
        "All three hold. The patch went in as it is.",
        ("No timeout on line 4", "Returns None after the last try"),
    )
    judge("ben", f"{key}.member2", True)
    judge(
        "maya",
        f"{key}.member2",
        False,
        false=("except Exception swallows KeyboardInterrupt",),
        real=("timeout=None means no timeout",),
    )
    judge("boss", f"{key}.explorer", True, "Only one to see the missing jitter.")
    return key


def seed(now: datetime) -> str:
    """Everything; returns the id of the showpiece."""
    from benchwarmers.tests.pages.talks import make_day
    from benchwarmers.tests.pages.texts import ANSWERS, PROMPTS

    make_people()
    make_models()
    make_day(now)
    rng = random.Random(7)
    roster = ["granite-l", "heron-70b", "osprey", "quill-2", "tern-mini", "wren"]
    kinds = [
        ("reviewers", "review", "review"),
        ("core", "plan", "design"),
        ("quick", "quick", "quick"),
        ("core", "prose", "prose"),
        ("core", "long", "enumeration"),
    ]
    key = make_showpiece(now - timedelta(minutes=9))
    for number in range(52):
        started = now - timedelta(minutes=21 + 34 * number + rng.randrange(20))
        collection, text, shape = kinds[number % len(kinds)]
        seats = []
        for place, alias in enumerate(rng.sample(roster, rng.choice([3, 4, 5, 5]))):
            status = rng.choices(["ok", "error", "empty"], [12, 1.4, 0.7])[0]
            label = "member" if place < 3 else ("explorer" if place == 3 else "explorer 2")
            played = round(rng.uniform(0.8, 34), 1)
            seats.append(
                Played(label, alias, status, played, ANSWERS["plan"] if status == "ok" else "", first=played / 6)
            )
        state = "interrupted" if number == 6 else "done"
        made = make_panel(
            started,
            collection,
            PROMPTS[text],
            seats,
            owner=rng.choice(["maya", "ben", "boss"]),
            number=number,
            shape=shape,
            shape_by="picked by wren",
            state=state,
        )
        for place in range(rng.choice([0, 0, 1, 2, 3])):
            judge("maya", f"{made}.member{place + 1}", rng.random() < 0.7)
    make_panel(
        now - timedelta(minutes=2),
        "practice",
        "Hello, bench",
        [
            Played("member", "warmup-one", "ok", 0.4, "Ready when you are."),
            Played("member", "warmup-two", "ok", 0.6, "Boots on, bib on."),
        ],
        number=2,
        shape="quick",
        owner=None,
    )
    make_panel(
        now - timedelta(seconds=11),
        "core",
        PROMPTS["plan"],
        [
            Played("member", "granite-l", "ok", 7.9, ANSWERS["plan"], first=1.1),
            Played("member", "heron-70b", "asked"),
            Played("member", "osprey", "asked"),
            Played("explorer", "wren", "waiting"),
        ],
        number=3,
        shape="design",
    )
    return key


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.settings")
    import django

    django.setup()
    from django.utils import timezone

    print(seed(timezone.now()))
