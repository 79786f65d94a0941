"""The form of the set-up file: its tables, their fields and the type of each. Pure.

Only types are judged here; what a value may be is the business of the actions.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any


class Tables(list[dict[str, Any]]):
    """The type of a field that holds a list of tables."""


WHAT = {
    str: "text in quotes",
    int: "a whole number",
    bool: "true or false",
    list: "a list of texts in quotes",
    dict: "a table such as { name = value }",
    datetime: "a date with time such as 2027-01-31T00:00:00Z",
    Tables: "a list of tables such as [{ name = value }]",
}


@dataclass(frozen=True)
class Form:
    """One table: its fields with their types, and those that must be there."""

    name: str
    fields: dict[str, type]
    needed: tuple[str, ...] = ()
    many: bool = True

    @property
    def header(self) -> str:
        """How the table is opened."""
        return f"[[{self.name}]]" if self.many else f"[{self.name}]"


FACTS: dict[str, type] = {
    "tools": bool,
    "vision": bool,
    "structured_output": bool,
    "reasoning": bool,
    "documents": bool,
    "audio": bool,
    "context_window": int,
    "max_output": int,
    "limits": dict,
    "prices": dict,
    "knowledge_cutoff": str,
    "description": str,
}

SETTINGS = Form(
    "settings",
    {
        "max_calls": int,
        "max_explorers": int,
        "scheduler": str,
        "picker": str,
        "half_life_days": int,
        "ledger_days": int,
        "work_days": int,
        "sample_days": int,
        "log_days": int,
        "auto_retire": bool,
        "alert_mail": str,
        "alert_hook": str,
    },
    many=False,
)
ENDPOINT = Form(
    "endpoint",
    {
        "name": str,
        "base": str,
        "kind": str,
        "api": str,
        "hub": str,
        "key_name": str,
        "key_env": str,
        "admin_key_name": str,
        "default": bool,
        "headers": dict,
        "models_url": str,
        "unlisted_models": list,
        "decisions_url": str,
        "quirks": dict,
    },
    needed=("name", "base"),
)
DECISION_MODEL = Form(
    "decision_model",
    {"alias": str, "served": str, "via": str, "path": str, "question_types": list, "ad_hoc": bool},
    needed=("alias", "served", "via"),
)
MODEL = Form(
    "model",
    {
        "alias": str,
        "served": str,
        "endpoint": str,
        "role": str,
        "ad_hoc": bool,
        "allow_paid": bool,
        "tag": str,
        "options": dict,
        **FACTS,
    },
    needed=("alias", "served", "endpoint"),
)
COLLECTION = Form(
    "collection",
    {
        "name": str,
        "members": list,
        "shape": str,
        "reply": str,
        "merger": str,
        "description": str,
        "tags": list,
        "ranking": str,
        "cooldown": str,
        "on_disconnect": str,
        "shadow": dict,
        "max_explorers": int,
        "team": str,
    },
    needed=("name", "members"),
)
TEAM = Form("team", {"name": str, "about": str, "members": list}, needed=("name",))
PERSON = Form("person", {"username": str, "email": str, "groups": list}, needed=("username",))
KEY = Form(
    "key",
    {
        "name": str,
        "owner": str,
        "secret_env": str,
        "collections": list,
        "rpm": int,
        "tpm": int,
        "expires_at": datetime,
        "team": str,
        "budgets": Tables,
    },
    needed=("name", "owner"),
)

ALIAS = Form("alias", {"name": str, "target": str}, needed=("name", "target"))

CONNECTION = Form(
    "connection",
    {"name": str, "rpm": int, "rpd": int, "rpmo": int, "tpm": int, "tpd": int, "parallel": int},
    needed=("name",),
)

FORMS = {
    form.name: form
    for form in (SETTINGS, ENDPOINT, CONNECTION, MODEL, DECISION_MODEL, COLLECTION, PERSON, TEAM, KEY, ALIAS)
}
IDENTITY = {
    "endpoint": "name",
    "connection": "name",
    "model": "alias",
    "decision_model": "alias",
    "collection": "name",
    "person": "username",
    "team": "name",
    "key": "name",
    "alias": "name",
}
"""The field that tells the entries of a section apart."""


def fits(value: Any, kind: type) -> bool:
    """Is the value of this type? Lists hold texts; a truth value is no number."""
    if kind is int:
        return type(value) is int
    if kind is Tables:
        return isinstance(value, list) and all(isinstance(one, dict) for one in value)
    if kind is list:
        return isinstance(value, list) and all(isinstance(one, str) for one in value)
    return isinstance(value, kind)
