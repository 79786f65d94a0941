"""Every link and anchor of the documents leads somewhere, and every page is in the list that `make docs` follows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import yaml

from benchwarmers.tests.house.tree import ROOT, name, text_files

FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
HEADING = re.compile(r"^#{1,6} +(.+?)(?: +#+)?$", re.MULTILINE)
MARKS = re.compile(r"\[([^\]]*)\]\([^)]*\)|[*_`]")


def pages() -> list[Path]:
    return [path for path in text_files() if path.suffix == ".md"]


def of_site() -> set[str]:
    """The pages below docs/ that are built; the plugin is files for an agent."""
    under = (name(path).removeprefix("docs/") for path in pages() if name(path).startswith("docs/"))
    return {page for page in under if not page.startswith("plugin/")}


@cache
def anchors(path: Path) -> frozenset[str]:
    """Those that both GitHub and the built pages give a page's headings; a repeated heading counts once."""
    heads = [MARKS.sub(r"\1", head) for head in HEADING.findall(FENCE.sub("", path.read_text("utf-8")))]
    plain = [re.sub(r"[^\w\- ]", "", head.lower()) for head in heads]
    return frozenset(
        {head.replace(" ", "-") for head in plain} & {re.sub(r"[- ]+", "-", head.strip()) for head in plain}
    )


def links(path: Path) -> Iterator[str]:
    """The addresses that a page's text links to, pictures too."""
    return (found for found in LINK.findall(CODE.sub("", FENCE.sub("", path.read_text("utf-8")))))


@pytest.mark.parametrize("page", pages(), ids=name)
def test_every_link_and_anchor_of_a_page_leads_somewhere(page: Path) -> None:
    broken = []
    for link in links(page):
        place, _, anchor = unquote(link).partition("#")
        if "://" in place or place.startswith("mailto:"):
            continue
        target = (page.parent / place).resolve() if place else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def test_the_reader_of_links_finds_what_there_is(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# One: `two`\n\n[a](b.md#c) ![d](e.png) `[f](g)`\n\n```\n[h](i)\n# No\n```\n## A [link](j)\n", "utf-8"
    )
    assert list(links(page)) == ["b.md#c", "e.png", "j"]
    assert anchors(page) == {"one-two", "a-link"}


def listed(nav: list[Any]) -> Iterator[str]:
    """The pages of a list, of its parts too."""
    for one in nav:
        if isinstance(one, str):
            yield one
        else:
            for part in one.values():
                yield from listed(part if isinstance(part, list) else [part])


def settings() -> Any:
    return yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))


def test_every_page_is_in_the_list_and_once() -> None:
    found = list(listed(settings()["nav"]))
    assert sorted(found) == sorted(of_site())


def test_the_pages_are_built_without_a_warning_and_ask_no_other_host(tmp_path: Path) -> None:
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    told = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(tmp_path), strict=True)
    build(told)
    built = [path for path in tmp_path.rglob("*.html") if path.name != "404.html"]
    assert len(built) == len(of_site())
    asked = {address for path in built for address in Fetched.of(path) if "//" in address}
    assert asked == set()
    for sheet in tmp_path.rglob("*.css"):
        assert re.findall(r"url\([\"']?(?:https?:)?//[^)]*\)|@import", sheet.read_text("utf-8")) == []


class Fetched(HTMLParser):
    """The addresses that a browser fetches by itself for a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    @classmethod
    def of(cls, path: Path) -> list[str]:
        one = cls()
        one.feed(path.read_text("utf-8"))
        return one.found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        fetches = tag != "link" or named.get("rel") not in {"canonical", "prev", "next", "alternate"}
        place = named.get("href" if tag == "link" else "src")
        if tag in {"link", "script", "img", "iframe", "source"} and fetches and place:
            self.found.append(place)
