"""The table of rights: one row a route, by its name in the URL configuration. A route without a row is closed.

A page takes a permission here when nobody without it has any business there. Whether somebody may see this panel or
that key is not said here: that is `benchwarmers.sight`, and it answers 404.
"""

from __future__ import annotations

from typing import Final

from benchwarmers.rights.api import API
from benchwarmers.rights.ask import ASKING
from benchwarmers.rights.oauth import OAUTH
from benchwarmers.rights.operations import OPERATIONS
from benchwarmers.rights.rule import ANYONE, KEY, SIGNED_IN, STAFF, TOKEN, Row

ASK: Final = "gateway.ask"
JUDGE: Final = "gateway.judge"
IMPORT: Final = "collections_app.add_evidence"
MINE: Final = "suite.change_task"
QUOTAS: Final = "gateway.view_quota"

CHANGE_PEOPLE: Final = "auth.change_user"
CHANGE_TEAMS: Final = "collections_app.change_team"
CHANGE_PROGRAMS: Final = "collections_app.change_serviceaccount"
INVITE: Final = "collections_app.add_invitation"

PAGES: Final = {
    "sign-in": Row(read=ANYONE, write=ANYONE),
    "dashboard:login": Row(read=ANYONE, write=ANYONE),
    "dashboard:sign-out": Row(write=ANYONE),
    "dashboard:theme": Row(write=ANYONE),
    "dashboard:home": Row(read=SIGNED_IN),
    "dashboard:password": Row(read=SIGNED_IN, write=SIGNED_IN),
    "dashboard:panels": Row(read=SIGNED_IN),
    "dashboard:panels-act": Row(write=JUDGE),
    "dashboard:panel": Row(read=SIGNED_IN),
    "dashboard:panel-file": Row(read=SIGNED_IN),
    "dashboard:panel-share": Row(write=SIGNED_IN),
    "dashboard:panel-mine": Row(write=MINE),
    "dashboard:panel-live": Row(read=SIGNED_IN),
    "dashboard:seat": Row(read=SIGNED_IN),
    "dashboard:verdict": Row(write=JUDGE),
    "dashboard:claim": Row(write=JUDGE),
    "dashboard:changes": Row(read="collections_app.view_change"),
    "dashboard:readings": Row(read="gateway.view_reading"),
    "dashboard:judge": Row(read=SIGNED_IN),
    "dashboard:judge-import": Row(read=IMPORT, write=IMPORT),
    "dashboard:judge-seat": Row(write=JUDGE),
    "dashboard:judge-blind": Row(write=JUDGE),
    "dashboard:judge-undo": Row(write=JUDGE),
    "dashboard:evidence": Row(read=SIGNED_IN),
    "dashboard:contribution": Row(read=SIGNED_IN),
    "dashboard:usage": Row(read=SIGNED_IN),
    "dashboard:usage-export": Row(read=SIGNED_IN),
    "dashboard:usage-table": Row(read=SIGNED_IN),
    "dashboard:quotas": Row(read=QUOTAS),
    "dashboard:quota-limit": Row(write="collections_app.change_connectionlimit"),
    "dashboard:keys": Row(read=SIGNED_IN),
    "dashboard:key-new": Row(read=ASK, write=ASK),
    "dashboard:key": Row(read=SIGNED_IN, write=ASK),
    "dashboard:key-rotate": Row(write=ASK),
    "dashboard:key-revoke": Row(write=ASK),
    "dashboard:keys-revoke": Row(write=ASK),
    "dashboard:conversations": Row(read=SIGNED_IN),
    "dashboard:conversation": Row(read=SIGNED_IN),
    "dashboard:conversation-live": Row(read=SIGNED_IN),
    "dashboard:member-verdict": Row(write=JUDGE),
    "find:find": Row(read=SIGNED_IN),
    "dashboard:shadow": Row(read=SIGNED_IN),
    "dashboard:shadow-verdict": Row(write=JUDGE),
}
"""What people look at."""

PEOPLE: Final = {
    "people:account": Row(read=SIGNED_IN),
    "people:tokens": Row(read=SIGNED_IN, write=SIGNED_IN),
    "people:token-revoke": Row(write=SIGNED_IN),
    "people:sign-out-program": Row(write=SIGNED_IN),
    "people:end-others": Row(write=SIGNED_IN),
    "people:end-session": Row(write=SIGNED_IN),
    "people:unlink": Row(write=SIGNED_IN),
    "people:people": Row(read=CHANGE_PEOPLE, write="auth.add_user"),
    "people:person": Row(read=CHANGE_PEOPLE, write=CHANGE_PEOPLE),
    "people:link": Row(write=CHANGE_PEOPLE),
    "people:end-sessions": Row(write=CHANGE_PEOPLE),
    "people:forget-factors": Row(write=CHANGE_PEOPLE),
    "people:teams": Row(read=CHANGE_TEAMS, write="collections_app.add_team"),
    "people:team": Row(read=CHANGE_TEAMS, write=CHANGE_TEAMS),
    "people:delete-team": Row(write="collections_app.delete_team"),
    "people:invitations": Row(read=INVITE, write=INVITE),
    "people:revoke-invitation": Row(write="collections_app.change_invitation"),
    "people:invited": Row(read=ANYONE, write=ANYONE),
    "people:invited-by": Row(read=ANYONE),
    "people:programs": Row(read=CHANGE_PROGRAMS, write="collections_app.add_serviceaccount"),
    "people:program": Row(read=CHANGE_PROGRAMS, write=CHANGE_PROGRAMS),
}
"""One's own account, and the pages about people."""

ALLAUTH: Final = {
    "account_login": Row(read=ANYONE, write=ANYONE),
    "account_logout": Row(write=ANYONE),
    "account_reauthenticate": Row(read=SIGNED_IN, write=SIGNED_IN),
    "mfa_authenticate": Row(read=ANYONE, write=ANYONE),  # between the two steps of a sign-in
    "mfa_login_webauthn": Row(read=ANYONE, write=ANYONE),
    "mfa_index": Row(read=SIGNED_IN),
    "mfa_list_webauthn": Row(read=SIGNED_IN),
    "mfa_reauthenticate": Row(read=SIGNED_IN, write=SIGNED_IN),
    "mfa_reauthenticate_webauthn": Row(read=SIGNED_IN, write=SIGNED_IN),
    "mfa_activate_totp": Row(read=SIGNED_IN, write=SIGNED_IN),
    "mfa_deactivate_totp": Row(read=SIGNED_IN, write=SIGNED_IN),
    "mfa_view_recovery_codes": Row(read=SIGNED_IN),
    "mfa_generate_recovery_codes": Row(read=SIGNED_IN, write=SIGNED_IN),
    "mfa_add_webauthn": Row(read=SIGNED_IN, write=SIGNED_IN),
    "mfa_edit_webauthn": Row(read=SIGNED_IN, write=SIGNED_IN),
    "mfa_remove_webauthn": Row(read=SIGNED_IN, write=SIGNED_IN),
    "openid_connect_login": Row(read=ANYONE),
    "openid_connect_callback": Row(read=ANYONE),
    "socialaccount_connections": Row(read=SIGNED_IN),
    "socialaccount_login_cancelled": Row(read=ANYONE),
}
"""Pages of allauth, under its own names."""

REST: Final = {
    "gateway-models": Row(read=KEY),
    "gateway-model": Row(read=KEY),
    "gateway-tags": Row(read=KEY),
    "gateway-running": Row(read=KEY),
    "gateway-version": Row(read=ANYONE),
    "gateway-show": Row(write=KEY),
    "gateway-verdict": Row(write=KEY),
    "gateway-pending": Row(write=KEY),
    "gateway-record": Row(read=KEY),
    "gateway-panel": Row(read=KEY),
    "gateway-panel-events": Row(read=KEY),
    "gateway-openapi": Row(read=ANYONE),
    "gateway-unknown": Row(read=ANYONE, write=ANYONE),
}
"""What programs ask of Django."""

ADMIN: Final = {
    # Its own form knows no throttle and no second factor: people sign in by ours, and are led there.
    "admin:login": Row(read=STAFF),
}
ANY_ADMIN: Final = Row(read=STAFF, write=STAFF)
"""Every other page of the admin, which asks for the permission of its model itself."""

INFERENCE: Final = Row(write=KEY)
"""The paths of `gateway.api.routing`. They are served before Django; the consumer asks for the key."""

OUTSIDE: Final = {
    "/health": Row(read=ANYONE, write=ANYONE),
    "/health/live": Row(read=ANYONE, write=ANYONE),
    "/health/ready": Row(read=ANYONE, write=ANYONE),
    "/metrics": Row(read=TOKEN),
    "/mcp": Row(write=KEY),
    "/practice/": Row(read=ANYONE, write=ANYONE),  # callers on this machine alone, see gateway.api.practice
}
"""What `asgi` answers itself."""

SOCKETS: Final = {"live/": SIGNED_IN}
"""The WebSockets, by their pattern."""

ROWS: Final = PAGES | ASKING | PEOPLE | OPERATIONS | ALLAUTH | OAUTH | REST | ADMIN | API


def find_row(name: str) -> Row | None:
    """The row of a route by its full name; None where the table has none."""
    if (row := ROWS.get(name)) is not None:
        return row
    return ANY_ADMIN if name.startswith("admin:") else None
