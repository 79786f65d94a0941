"""What of the gateway's own rows is too old, by the settings. Sync; deletes nothing.

The sums of usage, the verdicts and the evidence stay: they are small, and everything that is counted is made of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.contrib.sessions.models import Session

from collections_app.models import Change, ClaimGroup, ClaimSeat, Setting
from gateway.engine.retention import Rule, kept_from
from gateway.models import Call, Conversation, Panel, Reading, Seat, Shadow, Turn

FEW: Final = 200
"""Panels and conversations a transaction: each has rows of its own."""


def rules_of_gateway(setting: Setting, now: datetime) -> list[Rule]:
    """Ledger, panels, conversations, both logs, and sessions that are over. Whole days go, so that what the ledger
    holds of a day is all of it."""
    rules = [Rule("sessions", Session.objects.filter(expire_date__lt=now), by="expire_date", told=False)]
    if setting.ledger_days:
        rules.append(Rule("ledger", Call.objects.filter(at__lt=kept_from(now, setting.ledger_days))))
    if setting.work_days:
        first = kept_from(now, setting.work_days)
        panels = Panel.objects.filter(started_at__lt=first)
        rules.append(Rule("panels", panels, "started_at", FEW, _clear_panels))
        talks = Conversation.objects.filter(last_at__lt=first)
        rules.append(Rule("conversations", talks, "last_at", FEW, _clear_conversations))
    if setting.log_days:
        first = kept_from(now, setting.log_days)
        rules.append(Rule("change log", Change.objects.filter(at__lt=first)))
        rules.append(Rule("readings", Reading.objects.filter(at__lt=first)))
    return rules


def _clear_panels(panels: Sequence[Any]) -> None:
    """What their seats said, and which claims people found in it."""
    ClaimSeat.objects.filter(group__panel__in=panels).delete()
    ClaimGroup.objects.filter(panel__in=panels).delete()
    Seat.objects.filter(panel__in=panels).delete()


def _clear_conversations(conversations: Sequence[Any]) -> None:
    Turn.objects.filter(conversation__in=conversations).delete()
    Shadow.objects.filter(conversation__in=conversations).delete()
