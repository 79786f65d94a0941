"""Every page there is, with examples of what its address may say. A page that is not in the table fails a test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from django.contrib import admin
from django.urls import reverse

from benchwarmers.rights.table import find_row
from benchwarmers.tests.rights.routes import Found, walk


@dataclass(frozen=True)
class Shown:
    """`queries` are query strings to be tried; `names` says which of the things stands for which parameter, where they
    are not called alike."""

    queries: tuple[str, ...] = ("",)
    names: dict[str, str] = field(default_factory=dict)


def _with(*queries: str, **names: str) -> Shown:
    return Shown(queries or ("",), names)


PLAIN: Final = Shown()
BELOW: Final = "?before={cursor}"
PANELS: Final = (
    *("", "?state=interrupted", "?state=done", "?collection=squad-9", BELOW, "?q=jitter", "?q=nobody%20said%20this"),
    *("?whose=mine", "?whose=owed", "?shape=image", "?days=1", "?sort=oldest", "?collection=squad-9&state=interrupted"),
)
LEDGER: Final = tuple(
    f"?period=year&by={by}" for by in ("model", "connection", "collection", "person", "key", "team", "purpose", "day")
)

TABLE: Final[dict[str, Shown]] = {
    "ask:ask": PLAIN,
    "ask:recent": PLAIN,
    "ask:route": PLAIN,
    "operations:settings": PLAIN,
    "operations:info": PLAIN,
    "operations:info-checks": PLAIN,
    "ask:board": _with(panel_id="panel"),
    "dashboard:home": PLAIN,
    "dashboard:login": PLAIN,
    "dashboard:password": PLAIN,
    "dashboard:panels": Shown(PANELS),
    "dashboard:panel": _with("", "?diff=1,2", panel_id="panel"),
    "dashboard:panel-live": _with(panel_id="panel"),
    "dashboard:seat": _with(panel_id="panel"),
    "dashboard:changes": _with("", "?thing=model", "?who=maya", BELOW, "?q=harbour", "?format=csv"),
    "dashboard:readings": _with("", BELOW, "?q=p10", "?format=csv"),
    "dashboard:judge": _with("", "?whose=all", "?collection=squad-9", "?shape=image&whose=all", "?days=7"),
    "dashboard:judge-import": PLAIN,
    "dashboard:evidence": PLAIN,
    "dashboard:contribution": PLAIN,
    "dashboard:usage": _with("", *LEDGER, "?period=year&key=3", "?sort=name&page=3"),
    "dashboard:usage-table": _with("?period=year&format=csv"),
    "dashboard:usage-export": _with("?period=year&format=csv", "?period=year&format=jsonl&model={alias}"),
    "dashboard:quotas": PLAIN,
    "dashboard:keys": PLAIN,
    "dashboard:key-new": PLAIN,
    "dashboard:key": PLAIN,
    "dashboard:conversations": _with("", "?collection=squad-9", BELOW, "?q=jitter", "?q=nobody%20said%20this"),
    "dashboard:conversation": _with("", "?before=500", conversation_id="conversation"),
    "dashboard:conversation-live": _with("", "?after=900", conversation_id="conversation"),
    "dashboard:shadow": _with(conversation_id="shadowed"),
    "operations:endpoints": PLAIN,
    "operations:endpoints-found": PLAIN,
    "operations:endpoint-new": PLAIN,
    "operations:endpoint": _with(name="endpoint"),
    "operations:models": _with("", "?retired=with&sort=-answered", "?status=healthy&page=3", "?q=wren", "?sort=price"),
    "operations:model": PLAIN,
    "operations:onboard": _with("", "?q=wren", "?endpoint=harbour-2"),
    "operations:sign-ins": PLAIN,
    "operations:sign-in-session": _with(number="sign-in"),
    "operations:connect": PLAIN,
    "operations:connect-by-path": PLAIN,
    "operations:discover": _with("", "?price=free", "?q=wren", "?can=tools&page=40", "?page=90", "?new=1"),
    "operations:discover-feeds": PLAIN,
    "operations:discover-sources": PLAIN,
    "operations:offer": _with(number="offer"),
    "operations:offer-hubs": _with(number="offer"),
    "operations:schedule": PLAIN,
    "operations:schedule-times": PLAIN,
    "operations:jobs": _with("", "?state=failed", "?kind=speed", BELOW),
    "operations:job": PLAIN,
    "operations:logs": _with("", "?q=jitter", "?since=2026-01-01&until=2026-01-02", "?section=changes&format=csv"),
    "operations:logs-output": PLAIN,
    "operations:benchmarks": _with("", "?view=code", "?view=table&sort=-hunts", "?view=time", "?shape=seeded"),
    "operations:suite-passes": PLAIN,
    "operations:suite-review": PLAIN,
    "operations:suite-tasks": _with("", "?q=lock&page=2", "?shape=claim"),
    "operations:suite-task": PLAIN,
    "operations:suite-task-edit": PLAIN,
    "operations:suite-answer": PLAIN,
    "operations:collections": _with("", "?sort=-asked", "?sort=context", "?q=wren", "?format=csv"),
    "operations:collection-new": _with("", "?like=core"),
    "operations:collection": _with("", "?carries=tools", name="collection"),
    "operations:collection-edit": _with(name="collection"),
    "operations:gateway-settings": PLAIN,
    "find:find": _with("?q=wren", "?q=jitter", "?q=p2026"),
    "people:account": PLAIN,
    "people:tokens": PLAIN,
    "people:people": PLAIN,
    "people:person": _with(name="person"),
    "people:teams": PLAIN,
    "people:team": _with(name="team"),
    "people:invitations": PLAIN,
    "people:invited": PLAIN,
    "people:programs": PLAIN,
    "people:program": _with(name="program"),
    "account_reauthenticate": PLAIN,
    "mfa_activate_totp": PLAIN,
    "mfa_add_webauthn": PLAIN,
}

LEFT_OUT: Final = {
    "dashboard:panel-file": "a file",
    "oauth:resource": "a document of settings, for programs",
    "oauth:resource-mcp": "a document of settings, for programs",
    "oauth:resource-v1": "a document of settings, for programs",
    "oauth:server": "a document of settings, for programs",
    "oauth:authorize": "comes with what a program asks for",
    "sign-in": "spends a link",
    "people:invited-by": "leads to a provider",
    "openid_connect_login": "leads to a provider",
    "openid_connect_callback": "comes back from a provider",
    "operations:hub": "asks a hub",
    "account_login": "dashboard:login under another name",
    "mfa_index": "people:account under another name",
    "mfa_list_webauthn": "people:account under another name",
    "socialaccount_connections": "people:account under another name",
    "mfa_authenticate": "leads away but between two steps of a sign-in",
    "mfa_login_webauthn": "a challenge for a script",
    "mfa_reauthenticate": "leads away without a second factor",
    "mfa_reauthenticate_webauthn": "leads away without a second factor",
    "mfa_deactivate_totp": "leads away without a second factor",
    "mfa_view_recovery_codes": "leads away without a second factor",
    "mfa_generate_recovery_codes": "leads away without a second factor",
    "mfa_edit_webauthn": "leads away without a second factor",
    "mfa_remove_webauthn": "leads away without a second factor",
    "socialaccount_login_cancelled": "one sentence",
}
"""What is not measured, and why."""


def readable() -> list[Found]:
    """Every route that has a page to be read, the admin's and the API's aside."""
    found = [one for one in walk() if not one.of_admin and not one.of_api]
    return [one for one in found if (row := find_row(one.name)) is not None and row.read is not None]


def addresses(things: dict[str, Any], *, brief: bool = False) -> Iterator[tuple[str, str]]:
    """(name of the route, address) of everything in the table, and of the admin's lists; with `brief` of those the
    first pages alone, else also a search in each and its newest row."""
    for one in readable():
        shown = TABLE.get(one.name)
        if shown is None:
            continue
        values = {name: things[shown.names.get(name, name)] for name in one.parameters}
        for query in shown.queries:
            yield one.name, one.address(values) + query.format(**things)
    yield "admin:index", reverse("admin:index")
    for model in admin.site._registry:
        meta = model._meta
        where = reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")
        yield f"admin:{meta.label_lower}", where
        if brief:
            continue
        if admin.site._registry[model].search_fields:
            yield f"admin:{meta.label_lower}", f"{where}?q=wren"
        newest = model._default_manager.order_by("-pk").values_list("pk", flat=True).first()
        if newest is not None:
            yield (
                f"admin:{meta.label_lower}",
                reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[newest]),
            )
