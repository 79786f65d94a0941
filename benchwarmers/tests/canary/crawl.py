"""Asks for every page there is: each route without a parameter, and from there what the pages lead to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx

from benchwarmers.tests.rights.routes import walk

LINK = re.compile(r'(?:href|hx-get|action)="(/[^"#]*)"')
OF_A_KIND = 1
"""How many addresses are asked that differ in numbers and ids alone: one of each shows what it shows."""
TELLS_NO_MORE = ("/history/", "/delete/")
"""Pages of the admin that show the name of a row, as its list does."""
NOT_ASKED = ("/static/", "/sign-out/", "/admin/logout/", "/sign-in/", "/oidc/")
"""The last leads to another host."""


def crawl(browser: httpx.Client) -> Iterator[tuple[str, httpx.Response]]:
    """(address, answer) of everything that a person finds."""
    waiting = [*sorted(_roots()), "/changes/?format=csv", "/changes/?format=jsonl", "/judge/?whose=all"]
    seen, kinds = set(waiting), Counter[str]()
    while waiting:
        address = waiting.pop(0)
        answer = browser.get(address, follow_redirects=False)
        yield address, answer
        found = [answer.headers.get("location", ""), *LINK.findall(answer.text)]
        for link in found:
            path = urlsplit(link.replace("&amp;", "&")).path
            kind = re.sub(r"[pr]?\d[\w.-]*", "N", path)
            skipped = path.startswith(NOT_ASKED) or path.endswith(TELLS_NO_MORE)
            if not path.startswith("/") or path in seen or skipped or kinds[kind] >= OF_A_KIND:
                continue
            seen.add(path)
            kinds[kind] += 1
            waiting.append(path)


def _roots() -> set[str]:
    """Every route whose address needs nothing."""
    return {
        found.address({})
        for found in walk()
        if not found.regular and not found.parameters and not found.address({}).startswith(NOT_ASKED)
    }
