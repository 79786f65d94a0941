"""Reads what hubs reply, believing nothing of its form. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.engine.error_words import error_of
from gateway.engine.fetch import Fetched
from probes.hubs.base import HubTrouble


def text(value: object) -> str:
    """A string, else nothing."""
    return value if isinstance(value, str) else ""


def table(value: object) -> Mapping[str, Any]:
    """An object, else an empty one."""
    return value if isinstance(value, dict) else {}


def rows(value: object) -> list[Mapping[str, Any]]:
    """The objects in a list; other entries are left out."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def strings(value: object) -> tuple[str, ...]:
    """The non-empty strings in a list."""
    return tuple(entry for entry in value if isinstance(entry, str) and entry) if isinstance(value, list) else ()


def said(reply: Fetched) -> str:
    """The hub's own words in a refusal, one line; empty when it has none."""
    error = error_of(reply.body)
    for value in (error.get("message"), error.get("detail"), error.get("error")):
        inner = table(value).get("error", value)
        if isinstance(inner, str) and inner.strip():
            return " ".join(inner.split())[:300]
    return ""


def refused(reply: Fetched, what: str, hub: str) -> HubTrouble:
    """The hub would not do `what`."""
    words = said(reply).rstrip(".")
    return HubTrouble(
        f"{hub} would not {what}: HTTP {reply.status}{f', {words}' if words else ''}.", upstream_status=reply.status
    )
