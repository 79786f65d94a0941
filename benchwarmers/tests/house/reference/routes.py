"""docs/reference/routes.md: every route there is, and who may go there, from the URLs and the table of rights."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from django.urls import URLPattern, get_resolver
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.settings import patched_settings

from benchwarmers.rights.rule import ANYONE, KEY, SIGNED_IN, STAFF, TOKEN, Row
from benchwarmers.rights.table import INFERENCE, OUTSIDE, ROWS
from benchwarmers.tests.house.reference.words import code, page, table
from benchwarmers.tests.rights.routes import Found, walk
from gateway.api.routing import find_route
from gateway.api.schema import SETTINGS

WORDS: Final = {
    ANYONE: "anybody",
    SIGNED_IN: "whoever is signed in",
    STAFF: "curators and admins",
    KEY: "a gateway key",
    TOKEN: "a token of its own",
}
"""What the rules of the table say; any other rule is the name of a permission."""
ASKED: Final = (
    "/v1/chat/completions",
    "/v1/completions",
    "/v1/responses",
    "/v1/responses/input_tokens",
    "/v1/messages",
    "/v1/messages/count_tokens",
    "/v1/embeddings",
    "/v1beta/models/{model}:generateContent",
    "/v1beta/models/{model}:streamGenerateContent",
    "/v1beta/models/{model}:countTokens",
    "/v1beta/models/{model}:embedContent",
    "/v1beta/models/{model}:batchEmbedContents",
    "/api/chat",
    "/api/generate",
    "/api/embed",
    "/api/embeddings",
)
"""The inference paths in their plain spelling. They are told by code and not by a list; a test compares."""
_PARAMETER: Final = re.compile(r"<(?:\w+:)?(\w+)>")


def write() -> str:
    """The page."""
    return page(
        "Routes",
        "Every address of the server, and who may go there. Whether somebody may see *this* panel or *that* key is a "
        "further question, and its answer is 404. Routes whose rule is a permission name it; which group has which "
        "is in [people](../people.md). [The gateway's own routes](../api.md) tells how to call those for programs, "
        "[the six APIs](../formats.md) how models are asked.",
        "## Asking models",
        "Also without `/v1`, and with doubled or trailing slashes. They take POST, from "
        + f"{WORDS[INFERENCE.write or '']}.",
        table(("path", "format"), _asked()),
        "## Listings and evidence",
        "In the OpenAPI document, `/bench/openapi.json`.",
        table(("route", "does", "who may"), _described()),
        "Listings of other vendors' APIs have documents of their own:",
        table(("path", "read", "change"), _rows(one for one in _plain() if _is_other(one))),
        "## For people's programs",
        "With a personal token (`BENCHWARMERS_TOKEN`), as the person whose token it is.",
        table(("path", "read", "change"), _rows(one for one in _plain() if one.name.startswith("api:"))),
        "## Answered before all others",
        table(("path", "read", "change"), sorted(_line(path, row) for path, row in OUTSIDE.items())),
        "## Pages",
        table(("path", "read", "change"), _rows(one for one in _plain() if not one.of_api)),
        "`/admin/` is Django's own administration: every page of it is for "
        + f"{WORDS[STAFF]}, and asks for the permission of its rows.",
    )


def _plain() -> Iterator[Found]:
    """The routes with a row in the table, each spelling once; neither regular expressions nor the administration."""
    return (one for one in walk() if one.name in ROWS and not one.regular and not one.of_admin)


def _is_other(one: Found) -> bool:
    return one.name.startswith("gateway-") and not one.pattern.endswith("/") and spelt(one.pattern) not in described()


def spelt(pattern: str) -> str:
    """A pattern of the URL configuration as it stands in an OpenAPI document."""
    return "/" + _PARAMETER.sub(r"{\1}", pattern)


def _rows(found: Iterable[Found]) -> list[tuple[str, ...]]:
    return sorted({_line(spelt(one.pattern), ROWS[one.name]) for one in found}, key=lambda row: row[0].strip("`"))


def _line(path: str, row: Row) -> tuple[str, str, str]:
    return code(path), told(row.read), told(row.write)


def told(rule: str | None) -> str:
    """A rule in words; nothing where the route has no such methods."""
    return "" if rule is None else WORDS.get(rule, code(rule))


def _asked() -> Iterator[tuple[str, str]]:
    for path in ASKED:
        route = find_route(path.replace("{model}", "bench%2Fcore"))
        assert route is not None, path
        what = "counts tokens" if route.counting else "vectors" if route.embedding else "answers"
        yield code(path), f"{route.wire.name}, {what}"


@functools.cache
def described() -> frozenset[str]:
    """The paths of the OpenAPI document."""
    return frozenset(path for path, _ in operations())


def operations() -> dict[tuple[str, str], Any]:
    """The operations of the OpenAPI document, by path and method."""
    with patched_settings(SETTINGS):
        maker = SchemaGenerator(urlconf="gateway.api.urls")  # type: ignore[no-untyped-call]
        document = maker.get_schema(public=True)  # type: ignore[no-untyped-call]
    return {(path, verb): what for path, verbs in document["paths"].items() for verb, what in verbs.items()}


def _described() -> Iterator[tuple[str, str, str]]:
    routes = (one for one in get_resolver("gateway.api.urls").url_patterns if isinstance(one, URLPattern))
    names = {spelt(str(one.pattern)): one.name or "" for one in routes}
    for (path, verb), operation in operations().items():
        row = ROWS[names[path]]
        yield code(f"{verb.upper()} {path}"), operation.get("summary", ""), told(row.rule_for(verb.upper()))
