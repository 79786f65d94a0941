"""Takes fixes one by one until there are as many pairs as were asked for, and counts why the others were left."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from suite.drafts import Draft
from suite.real.draft import Origin, apart, draft_pair, slug_of
from suite.real.fit import fit
from suite.real.hub import DATA_SET
from suite.real.patch import Unfit, read_change
from suite.real.rows import BadRows, Row
from suite.real.texts import Texts

REJECTED: Final = Path(__file__).with_name("rejected.json")
Pair = tuple[Draft, Draft]


class Known(Struct, frozen=True):
    """What is not taken again: `sources` that have tasks, `slugs` that are taken, and what a review turned down, each
    with the reason."""

    sources: frozenset[str] = frozenset()
    slugs: frozenset[str] = frozenset()
    rejected: dict[str, str] = field(default_factory=dict)


class Tally(Struct):
    """`read` rows, and how many were left for each reason."""

    read: int = 0
    left: Counter[str] = field(default_factory=Counter)

    def told(self) -> str:
        """The reasons, the commonest first."""
        return ", ".join(f"{count} {why}" for why, count in self.left.most_common()) or "none"


def take(rows: Iterable[Row], text_of: Texts, known: Known, tally: Tally) -> Iterator[Pair]:
    """A pair of each row that one can be made of. `tally` counts along."""
    slugs = set(known.slugs)
    for row in rows:
        tally.read += 1
        if row.instance in known.sources:
            tally.left["already here"] += 1
        elif row.instance.lower() in known.rejected:
            tally.left["turned down in a review"] += 1
        else:
            try:
                pair = pair_of(row, text_of, slugs)
            except Unfit as reason:
                tally.left[str(reason)] += 1
                continue
            slugs |= {draft.slug for draft in pair}
            yield pair


def pair_of(row: Row, text_of: Texts, slugs: Iterable[str] = ()) -> Pair:
    """(bug, control) of a row.

    :raises Unfit: none can be made.
    """
    change = read_change(row.patch)
    fitted = fit(change, text_of(row, change.path))
    number = found[1] if (found := re.search(r"-(\d+)$", row.instance)) else ""
    slug = slug_of("rebench", row.repo.rpartition("/")[2], number or "x")
    if not number or f"{slug}-bug" in set(slugs):
        slug = apart(slug, row.instance)
    url = f"https://github.com/{row.repo}/pull/{number}" if number else f"https://github.com/{row.repo}"
    origin = Origin(
        name=row.instance,
        slug=slug,
        url=url,
        licence=row.licence,
        created_on=row.created_on,
        told=f"{url}, of {row.created_on}. {f'Reported: {row.problem}' if row.problem else ''}".strip(),
        known=f"Public since {row.created_on}, and in the data set {DATA_SET}.",
    )
    return draft_pair(change, fitted, origin)


def read_rejected(*files: Path) -> dict[str, str]:
    """What reviews turned down, by instance in lower case.

    :raises BadRows: a file is no object of reasons by instance.
    """
    found: dict[str, str] = {}
    for file in files:
        try:
            said = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BadRows(f"{file} cannot be read: {error}.") from None
        if not isinstance(said, dict):
            raise BadRows(f"{file} is no object of reasons by instance.")
        found |= {str(instance).lower(): str(why) for instance, why in said.items()}
    return found
