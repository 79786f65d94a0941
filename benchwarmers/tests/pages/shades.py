"""Shadows of turns that are there, written by the recorder's own hand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

PATH = '{"file_path": "/repo/tests/test_export.py", "offset": 40, "limit": 60}'
EDIT = (
    '{"file_path":"/repo/export/rows.py","old_string":"    return rows[:limit]",'
    '"new_string":"    # A limit of zero means all of them.\\n    return rows[:limit] if limit else rows",'
    '"replace_all":false}'
)
SAID = """The failure began with the merge, so I looked at what it touched.

- `rows.py` now cuts at `limit`, and `limit` is `0` where nobody set one
- `test_export.py` expects **all** rows then

I will keep the cut and treat zero as *no limit*:

```python
return rows[:limit] if limit else rows
```
"""
OTHER = "Let me run the suite once more before I change anything; the report names only one of the two failing tests."
THOUGHT = "The traceback ends in `rows.py`, line 41. Was `limit` ever `None`? Yes, before the merge."


@dataclass(frozen=True)
class Proposes:
    """What one of the two said and would do; `calls` are (name, arguments)."""

    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    reasoning: str = ""


def make_shadow(
    talk: str,
    number: int,
    alias: str,
    says: Proposes,
    beside: Proposes | None = None,
    *,
    status: str = "ok",
    error: str = "",
    why: str = "the member of bench/core whose work is oldest",
    at: datetime | None = None,
    seconds: float = 9.4,
) -> str:
    """The shadow of the turn with this number, and the piece of work to be judged; returns its call id."""
    from collections_app.models import LanguageModel
    from gateway.canon.event import Usage
    from gateway.engine.batch import write_records
    from gateway.engine.records import Proposal, Proposed, ShadowMade, Work
    from gateway.models import Conversation

    conversation = Conversation.objects.get(id=talk)
    turn = conversation.turns.filter(number=number).order_by("-pk")[0]
    model = LanguageModel.objects.get(alias=alias)
    call, asked = f"{talk}.shadow{number}", at or turn.at + timedelta(seconds=turn.seconds)

    def kept(one: Proposes) -> Proposal:
        return Proposal(one.text, one.reasoning, [Proposed(*pair) for pair in one.calls])

    made = ShadowMade(
        call=call,
        conversation_id=talk,
        number=number,
        alias=alias,
        language_model_id=model.pk,
        why=why,
        at=asked,
        status=status,
        seconds=seconds,
        first_token_s=None if error else seconds / 5,
        finish="" if error else "stop",
        usage=None if error else Usage(3_100, 212),
        error=error,
        proposal=kept(says),
        member=turn.alias,
        beside=kept(beside or Proposes(OTHER, (("Bash", '{"command": "pytest -q"}'),))),
    )
    where = (conversation.collection_id, conversation.collection_name, "shadow", "", conversation.task)
    write_records([made, Work(call, model.pk, *where, status, asked + timedelta(seconds=seconds))])
    return call


def shade(talk: str) -> None:
    """Shadows of every kind in the conversation that shows everything."""
    read = ("Read", PATH)
    make_shadow(talk, 1, "wren", Proposes(OTHER, (read,)), Proposes("", (read, read, ("Grep", '{"pattern": "limit"}'))))
    make_shadow(talk, 2, "quill-2", Proposes(), status="empty", why="last worked 12 d ago; stalest of 4 candidates")
    make_shadow(talk, 3, "wren", Proposes(SAID, (read, ("Edit", EDIT)), THOUGHT), Proposes(OTHER, (("Bash", "{}"),)))
    error = "504 from harbour: upstream took too long to answer"
    make_shadow(talk, 8, "heron-70b", Proposes(), status="error", error=error, seconds=60.0)
    make_shadow(talk, 9, "granite-l", Proposes(SAID, (("Edit", EDIT),)), Proposes(SAID))
