"""The pages of conversations in route mode: the list, one conversation, and the verdict on a member of it.

Each answers a script with the fragment it asked for and a plain browser with a whole page or a redirect. Conversations
that may not be seen are 404, like those that do not exist.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.address import address_of
from benchwarmers.dashboard.conversations import (
    load_conversations,
    load_turns,
    load_turns_since,
    suggest_collection,
)
from benchwarmers.dashboard.files import FORMATS
from benchwarmers.dashboard.looks import looked_at
from benchwarmers.dashboard.shadows import attach_shadows
from benchwarmers.dashboard.talk import Member, Talk, load_talk
from benchwarmers.dashboard.talk_export import write_talks
from benchwarmers.dashboard.talk_filters import DAYS, LOCAL, LOOKED_AT, TalkFilters, load_offers
from benchwarmers.dashboard.verdicts import Draft, record_draft
from benchwarmers.sight import visible_conversations


@require_safe
def conversations_page(request: PersonRequest) -> HttpResponse:
    """The list; for a script only the rows, with `format=csv` all of it as a file."""
    filters, now = TalkFilters.of_talks(request.GET), timezone.now()
    if request.GET.get("format") == "csv":
        response = HttpResponse(b"".join(write_talks(request.user, filters, now)), content_type=FORMATS["csv"])
        response["Content-Disposition"] = 'attachment; filename="conversations.csv"'
        return response
    page = load_conversations(request.user, filters, now)
    context = {"filters": filters, "list": page, "address": address_of(request), "looked_at": LOOKED_AT}
    if not page.rows:
        context["suggested"] = suggest_collection(request.user)
    if request.htmx and not request.htmx.history_restore_request:
        response = render(request, "conversations/_list.html", context)
        if request.htmx.trigger == "conversation-filter":
            response["HX-Push-Url"] = f"{request.path}{filters.here}"
    else:
        context |= {"offers": load_offers(request.user), "days": DAYS, "local": LOCAL}
        response = render(request, "conversations/list.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_safe
def conversation_page(request: PersonRequest, conversation_id: str) -> HttpResponse:
    """One conversation: what it came to, who answered, and a page of turns, `?before=` an id for earlier ones."""
    return _show(request, _talk(request, conversation_id))


@require_safe
def conversation_live(request: PersonRequest, conversation_id: str) -> HttpResponse:
    """The sums, the cards whose stamp is not among the `seen` ones (call~stamp), the turns `after` an id, and the
    shadows of turns that are not among the `shadowed` (ids)."""
    talk = _talk(request, conversation_id)
    seen = dict(pair.rpartition("~")[::2] for pair in request.GET.getlist("seen"))
    context: dict[str, Any] = {
        "talk": talk,
        "changed": [one for one in talk.members if one.share.call in seen and seen[one.share.call] != one.stamp],
        "added": [one for one in talk.members if one.share.call not in seen],
    }
    after = _number(request.GET.get("after", ""))
    if after is not None:
        context |= _news(request, talk, after)
    return render(request, "conversations/_live.html", context)


@require_POST
def save_member_verdict(request: PersonRequest, conversation_id: str, call: str) -> HttpResponse:
    """Record this person's verdict. A script gets the new card, or 422 with what was wrong; a browser its page."""
    talk = _talk(request, conversation_id)
    member = _find(talk, call)
    draft = Draft.read(request.POST)
    problems = record_draft(request.user, call, draft)
    if not problems:
        if request.htmx:
            member = _find(_talk(request, conversation_id), call)
            return render(request, "conversations/_judged.html", {"talk": talk, "card": member})
        told = _("Verdict on %(who)s %(done)s.") % {"who": member.share.alias, "done": draft.done}
        messages.success(request, told)
        response = redirect("dashboard:conversation", conversation_id)
        response["Location"] += f"#member-{member.number}"
        return response
    refused = replace(member, draft=replace(draft, problems=problems))
    if request.htmx:
        return render(request, "conversations/_member.html", {"talk": talk, "card": refused}, status=422)
    members = [refused if one.share.call == call else one for one in talk.members]
    return _show(request, replace(talk, members=members), status=422)


def _show(request: PersonRequest, talk: Talk, status: int = 200) -> HttpResponse:
    before = _number(request.GET.get("before", ""))
    page = load_turns(talk.conversation, before)
    lines = attach_shadows(talk.conversation, page.turns, request.user)
    context = {"talk": talk, "page": page, "before": before, "lines": lines}
    return render(request, "conversations/conversation.html", context, status=status)


def _news(request: PersonRequest, talk: Talk, after: int) -> dict[str, Any]:
    """What a page that shows turns up to `after` lacks: a shadow comes when its turn has long been shown."""
    new = load_turns_since(talk.conversation, after)
    if new is None:
        page = load_turns(talk.conversation)
        return {"page": page, "lines": attach_shadows(talk.conversation, page.turns, request.user)}
    newest = load_turns(talk.conversation).turns if talk.shadows else []
    lines = attach_shadows(talk.conversation, newest, request.user)
    shown = set(request.GET.get("shadowed", "").split())
    before = [turn for turn in newest if turn.pk in lines and turn.pk <= after]
    return {
        "new": new,
        "lines": lines,
        "late": [turn for turn in before if str(turn.pk) not in shown],
        "told": [lines[turn.pk] for turn in before if str(turn.pk) in shown],
    }


def _talk(request: PersonRequest, conversation_id: str) -> Talk:
    found = visible_conversations(request.user).select_related("owner", "key")
    conversation = get_object_or_404(found, id=conversation_id)
    looked_at(request, conversation)
    return load_talk(conversation, request.user)


def _find(talk: Talk, call: str) -> Member:
    member = next((one for one in talk.members if one.share.call == call), None)
    if member is None:
        raise Http404
    return member


def _number(text: str) -> int | None:
    """A turn's id in an address, or None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None
