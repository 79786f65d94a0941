"""What the candidates are narrowed to, which of them are ticked, and the page of them, as an address says it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from collections_app.aliases import derive_alias
from probes.onboarding.candidates import Candidate, Name
from probes.onboarding.items import MOST, SERVED

PAGE: Final = 100
NEW_GROUP: Final = gettext_lazy("New since the last served check")
INPUTS: Final = ("image", "pdf", "file", "audio", "video")


@dataclass(frozen=True, slots=True)
class Facets:
    """Empty strings and False do not narrow. `ticked` are (endpoint, served name)."""

    text: str = ""
    endpoint: str = ""
    group: str = ""
    takes: str = ""
    new: bool = False
    free: bool = False
    page: int = 1
    ticked: frozenset[Name] = frozenset()

    @classmethod
    def read(cls, query: QueryDict) -> Facets:
        """From the address; what cannot be read does not narrow."""
        page = query.get("page", "1")
        takes = query.get("takes", "")
        return cls(
            text=query.get("q", "").strip()[:200],
            endpoint=query.get("endpoint", "")[:32],
            group=query.get("group", "")[:120],
            takes=takes if takes in INPUTS else "",
            new=query.get("new") == "1",
            free=query.get("free") == "1",
            page=int(page) if page.isascii() and page.isdigit() and len(page) < 6 else 1,
            ticked=frozenset(read_names(query.getlist("item"))[:MOST]),
        )

    @property
    def narrows(self) -> bool:
        return bool(self.text or self.endpoint or self.group or self.takes or self.new or self.free)

    def address(self, page: int = 1) -> str:
        """The query string of these candidates at another page; ticks are no part of it."""
        pairs = {
            "q": self.text,
            "endpoint": self.endpoint,
            "group": self.group,
            "takes": self.takes,
            "new": "1" if self.new else "",
            "free": "1" if self.free else "",
            "page": str(page) if page > 1 else "",
        }
        return "?" + urlencode({name: value for name, value in pairs.items() if value})

    @property
    def here(self) -> str:
        return self.address(self.page)

    def fits(self, one: Candidate) -> bool:
        """Does this candidate pass?"""
        said = f"{one.served} {one.group} {one.endpoint}".lower()
        return (
            all(word in said for word in self.text.lower().split())
            and self.endpoint in ("", one.endpoint)
            and self.group in ("", one.group)
            and (not self.takes or self.takes in one.inputs)
            and (one.new or not self.new)
            and (one.free is True or not self.free)
        )


@dataclass(frozen=True, slots=True)
class Line:
    """A candidate in the list. `value` is what its box sends; `bar` says why it has none."""

    candidate: Candidate
    value: str
    ticked: bool = False
    bar: str = ""

    @property
    def nameless(self) -> bool:
        """No alias can be derived from its name, so it is taken on by itself, with one that a person gives."""
        return not derive_alias(self.candidate.served)

    @property
    def takes(self) -> list[str]:
        """What goes in besides text."""
        return [kind for kind in INPUTS if kind in self.candidate.inputs]

    @property
    def draws(self) -> bool:
        return "image" in self.candidate.outputs


@dataclass(frozen=True, slots=True)
class Group:
    """Candidates of one connection; `number` tells groups of a page apart."""

    name: str
    number: int
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class Shown:
    """One page of candidates. `elsewhere` are ticked ones that this page does not show; `count` all that fit, `of` all
    there are."""

    groups: Sequence[Group]
    elsewhere: Sequence[Line]
    count: int
    of: int
    older: str
    newer: str


def show(candidates: Sequence[Candidate], facets: Facets, under_way: frozenset[Name], size: int = PAGE) -> Shown:
    """The page that the facets name, new ones first, then group by group in the order listed."""
    first = {one.group: place for place, one in reversed(list(enumerate(candidates)))}
    fitting = sorted(filter(facets.fits, candidates), key=lambda one: (not one.new, first[one.group]))
    last = max(1, -(-len(fitting) // size))
    at = min(max(facets.page, 1), last)
    page = fitting[(at - 1) * size : at * size]
    lines = [_line(one, facets, under_way) for one in page]
    here = {line.value for line in lines}
    ticked = [_line(one, facets, under_way) for one in candidates if name_of(one) in facets.ticked]
    return Shown(
        groups=[
            Group(name, number, list(found))
            for number, (name, found) in enumerate(groupby(lines, key=lambda line: _heading(line.candidate)))
        ],
        elsewhere=[line for line in ticked if line.value not in here and line.ticked],
        count=len(fitting),
        of=len(candidates),
        older=replace(facets, page=at).address(at + 1) if at < last else "",
        newer=replace(facets, page=at).address(at - 1) if at > 1 else "",
    )


def name_of(one: Candidate) -> Name:
    return one.endpoint, one.served


def value_of(name: Name) -> str:
    """A name as a box sends it: an endpoint's name has no space."""
    return f"{name[0]} {name[1]}"


def read_names(values: Iterable[str]) -> list[Name]:
    """The names in what boxes sent, each once; what is none is passed over."""
    parted = (value.partition(" ") for value in values)
    return list(dict.fromkeys((endpoint, served) for endpoint, space, served in parted if space and served))


def choices(candidates: Iterable[Candidate]) -> Mapping[str, Sequence[str]]:
    """What the list can be narrowed to: its endpoints and groups, in the order listed."""
    rows = list(candidates)
    return {
        "endpoints": list(dict.fromkeys(one.endpoint for one in rows)),
        "groups": list(dict.fromkeys(one.group for one in rows)),
        "inputs": [kind for kind in INPUTS if any(kind in one.inputs for one in rows)],
    }


def _heading(one: Candidate) -> str:
    return str(NEW_GROUP) if one.new else one.group


def _line(one: Candidate, facets: Facets, under_way: frozenset[Name]) -> Line:
    name = name_of(one)
    bar = _("is being taken on") if name in under_way else ""
    if SERVED.fullmatch(one.served) is None:
        bar = _("has a name that cannot be taken on")
    return Line(one, value_of(name), name in facets.ticked and not bar, bar)
