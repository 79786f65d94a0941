"""The words of a message about alerts. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

MOST = 20
"""Lines of one message; more are counted."""


class Wrong(Struct, frozen=True):
    """One alert: its kind, what it is about (an alias, an endpoint or a connection; may be empty), and what it says."""

    kind: str
    about: str
    message: str


class Message(Struct, frozen=True):
    """The same news as an e-mail and as a webhook's body (JSON with `text`, as Slack, Mattermost and Discord's Slack
    route take it)."""

    subject: str
    text: str
    hook: bytes


def write_message(wrong: Sequence[Wrong], address: str) -> Message:
    """`address` is where the installation's pages are, without a closing slash."""
    count = f"{len(wrong)} alert{'s' if len(wrong) != 1 else ''}"
    alone = f"{' '.join(wrong[0].about.split()) or wrong[0].kind}: {wrong[0].kind}" if len(wrong) == 1 else count
    lines = [f"{one.kind} – {_line(one)}" for one in wrong[:MOST]]
    if len(wrong) > MOST:
        lines.append(f"and {len(wrong) - MOST} more")
    text = "\n".join([*lines, "", f"{address}/"])
    bullets = "\n".join(f"• *{_escaped(one.kind)}* {_escaped(_line(one))}" for one in wrong[:MOST])
    more = f"\nand {len(wrong) - MOST} more" if len(wrong) > MOST else ""
    hook = {"text": f"*Benchwarmers: {count}*\n{bullets}{more}\n<{address}/>"}
    return Message(f"Benchwarmers: {alone}", text, msgspec.json.encode(hook))


def _line(one: Wrong) -> str:
    return f"{one.about}: {one.message}" if one.about and one.about not in one.message else one.message


def _escaped(text: str) -> str:
    """Slack reads these three letters, and others call whoever stands after an @: a model's words must not."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("@", "@\u200b")
