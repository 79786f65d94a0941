"""Moves a running installation on from outside, as the engine would: opens a panel, finishes a seat, begins a
conversation, takes a turn in it or its shadow, and tells the pages.

Run as a program with the variables of that installation: `open PROMPT`, `seat CALL ANSWER`, `close PANEL`, `talk TASK`,
`turn CONVERSATION ALIAS TOOL`, `shadow CONVERSATION NUMBER ALIAS`,
`link NAME`, `shared NAME PROMPT`, `collection NAME ALIAS...`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable


def tell(*topics: str) -> None:
    """Send the topics to every open page."""
    from asgiref.sync import async_to_sync
    from channels.layers import get_channel_layer

    async_to_sync(get_channel_layer().group_send)("changed", {"type": "changed", "topics": list(topics)})


def open_panel(prompt: str) -> None:
    """A new panel of two seats, both asked; prints its id."""
    from django.utils import timezone

    from benchwarmers.tests.pages.seed import Played, make_panel

    seats = [Played("member", "granite-l", "asked"), Played("explorer", "wren", "asked")]
    panel = make_panel(timezone.now(), "core", prompt, seats, number=0xFFFF)
    tell("panels", f"panel:{panel}")
    sys.stdout.write(panel)


def finish_seat(call: str, answer: str) -> None:
    """The seat answered."""
    from django.utils import timezone

    from collections_app.models import Evidence
    from gateway.models import Seat

    seat = Seat.objects.get(call=call)
    seat.status, seat.answer, seat.seconds, seat.finished_at = "ok", answer, 2.5, timezone.now()
    seat.save()
    assert seat.language_model is not None
    Evidence.objects.create(
        language_model=seat.language_model,
        collection_name="core",
        kind="seat",
        call=call,
        status="ok",
        at=timezone.now(),
    )
    tell("panels", f"panel:{seat.panel_id}")


def close_panel(panel: str) -> None:
    """The panel is over, whoever had not answered."""
    from django.utils import timezone

    from gateway.models import Panel

    Panel.objects.filter(pk=panel).update(state="interrupted", finished_at=timezone.now())
    tell("panels", f"panel:{panel}")


def begin_talk(task: str) -> None:
    """A new conversation of one turn; prints its id."""
    from django.utils import timezone

    from benchwarmers.tests.pages.talks import Took, make_talk

    talk = make_talk(timezone.now(), "core", task, [Took("granite-l", tools=("Read",))], number=0xFFFF)
    tell("conversations", f"conversation:{talk}")
    sys.stdout.write(talk)


def take_turn(talk: str, alias: str, tool: str) -> None:
    """One turn more, after granite-l had failed."""
    from django.utils import timezone

    from benchwarmers.tests.pages.talks import Took, add_turn

    add_turn(talk, Took(alias, tools=(tool,), tried=("granite-l",)), timezone.now())
    tell("conversations", f"conversation:{talk}")


def cast_shadow(talk: str, number: str, alias: str) -> None:
    """The shadow of a turn has answered."""
    from benchwarmers.tests.pages.shades import SAID, Proposes, make_shadow

    make_shadow(talk, int(number), alias, Proposes(SAID))
    tell("conversations", f"conversation:{talk}")


def print_link(name: str) -> None:
    """A one-time link for this person."""
    from django.contrib.auth.models import User

    from benchwarmers.signin_link import make_signin_path

    sys.stdout.write(make_signin_path(User.objects.get(username=name)))


def share(name: str, prompt: str) -> None:
    """A panel that this person asked, two members answered, and everybody may open by its address; prints its id."""
    from django.utils import timezone

    from benchwarmers.tests.pages.seed import Played, make_panel

    now = timezone.now()

    seats = [
        Played("member", "granite-l", "ok", 3.5, "The outer one."),
        Played("member", "wren", "ok", 2.0, "Neither."),
    ]
    sys.stdout.write(make_panel(now, "core", prompt, seats, number=0xFFFE, owner=name, shared_at=now))


def form_collection(name: str, *members: str) -> None:
    """A collection with these members."""
    from collections_app.models import Collection, LanguageModel

    row = Collection.objects.create(name=name)
    for place, alias in enumerate(members, 1):
        row.seatings.create(language_model=LanguageModel.objects.get(alias=alias), place=place)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.settings")
    import django

    django.setup()
    moves: dict[str, Callable[..., None]] = {
        "open": open_panel,
        "seat": finish_seat,
        "close": close_panel,
        "talk": begin_talk,
        "turn": take_turn,
        "shadow": cast_shadow,
        "link": print_link,
        "shared": share,
        "collection": form_collection,
        "news": tell,
    }
    moves[sys.argv[1]](*sys.argv[2:])
