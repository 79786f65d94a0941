"""Which changes are planted: drawn evenly over the kinds, one a source, the same for the same seed. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Final

from msgspec import Struct

from suite.seeding.site import Language, Part, Planted, Site, plant
from suite.seeding.sources import Source

FUNCTION_LINES: Final = range(12, 61)
FILE_LINES: Final = range(100, 401)


class Choice(Struct, frozen=True):
    """A change in a part of a source. `planted` is the whole source with it."""

    source: Source
    part: Part
    site: Site
    planted: Planted


def places(source: Source, language: Language, *, hard: bool) -> list[Part]:
    """The parts of a source that a task can be made of: functions of fitting length, or the file itself."""
    if hard:
        whole = Part(source.name, 1, source.length)
        return [whole] if whole.length in FILE_LINES else []
    return [part for part in language.parts(source.text) if part.length in FUNCTION_LINES]


def choose(
    sources: Iterable[Source],
    language: Language,
    kinds: Sequence[str],
    rng: Random,
    *,
    hard: bool,
    used: Iterable[str] = (),
) -> Iterator[Choice]:
    """One change for each source that has room for any, in an order drawn by `rng`. `used` names parts (as `part_name`
    has it) that are passed over. Ends when the sources do."""
    done = set(used)
    wanted = [kind for kind in kinds if kind in language.kinds]
    pool = list(sources)
    rng.shuffle(pool)
    for source in pool:
        parts = [part for part in places(source, language, hard=hard) if part_name(source, part, hard=hard) not in done]
        if not parts:
            continue
        sites = language.sites(source.text, wanted)
        rng.shuffle(parts)
        for part in parts:
            inside = [site for site in sites if part.first <= site.line <= part.last]
            if (found := _draw(source, part, inside, language, rng)) is not None:
                yield found
                break  # one a file, so that a pack is of many files


def _draw(source: Source, part: Part, sites: Sequence[Site], language: Language, rng: Random) -> Choice | None:
    """A kind is drawn evenly, then a place; what turns out to be no change gives way to the next."""
    by_kind: dict[str, list[Site]] = {}
    for site in sites:
        by_kind.setdefault(site.kind, []).append(site)
    kinds = sorted(by_kind)
    rng.shuffle(kinds)
    for kind in kinds:
        rng.shuffle(by_kind[kind])
        for site in by_kind[kind]:
            planted = plant(source.text, site, language)
            if planted is not None:
                return Choice(source, part, site, planted)
    return None


def part_name(source: Source, part: Part, *, hard: bool) -> str:
    """What a task of this part names as its source."""
    return source.name if hard else f"{source.name}::{part.name}"
