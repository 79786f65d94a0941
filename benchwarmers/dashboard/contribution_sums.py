"""The numbers of the page "What each seat adds": pure, from the judged panels of a collection.

Claims are those of a panel's page: as people settled them, else grouped by likeness. A claim is true or false as most
people say who spoke of it; an even split is neither. What is told from too little is None.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from collections_app.claim_map import Claim, Wording, map_claims
from collections_app.contribution import ENOUGH_CLAIMS, ENOUGH_PANELS, Added, Agreement, SeatWork, contribution
from collections_app.intervals import Interval
from collections_app.wrong import Chances, Wrong, rate_wrong

SHADES = 5


@dataclass(frozen=True, slots=True)
class Said:
    """One verdict on a call, as far as claims go. `by` is the name of the person; `blind` is True where who answered
    was hidden from them."""

    call: str
    by: str
    real: Sequence[str]
    false: Sequence[str]
    blind: bool = False


@dataclass(frozen=True, slots=True)
class Chair:
    """One answered seat. `tokens` are those in and out together, None where the provider told none."""

    call: str
    who: str
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """One panel that counts: its answered seats, what people settled, and what their verdicts say."""

    chairs: Sequence[Chair]
    settled: Sequence[tuple[int, str, Sequence[Wording]]] = ()
    said: Sequence[Said] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One model. `tokens` is the price of a true claim in tokens; `wrong` is None where no answer was judged."""

    added: Added
    tokens: Interval | None
    wrong: Wrong | None


@dataclass(frozen=True, slots=True)
class Cell:
    """Two models of the matrix, None where they never sat together; `shade` goes from 0 to 4."""

    other: str
    agreement: Agreement | None

    @property
    def shade(self) -> int:
        """How dark the cell is."""
        share = self.agreement.share if self.agreement else None
        return min(int(share.share * SHADES), SHADES - 1) if share else 0


@dataclass(frozen=True, slots=True)
class Page:
    """What the page shows. `panels` were looked at, `judged` of them count, and in `telling` of these somebody found
    something true where two models sat. `base` is false claims a judged answer of all models, None without any. Of the
    `verdicts` on these panels so many were given `blind`."""

    panels: int
    judged: int = 0
    telling: int = 0
    rows: Sequence[Row] = ()
    matrix: Sequence[tuple[str, Sequence[Cell]]] = ()
    opinions: Interval | None = None
    base: float | None = None
    needed: int = ENOUGH_PANELS
    claims_needed: int = ENOUGH_CLAIMS
    verdicts: int = 0
    blind: int = 0


def make_page(panels: int, judged: Sequence[Judged], seed: str) -> Page:
    """The numbers of these panels; the same `seed` draws the same bootstrap, so the page stands still."""
    works: list[list[SeatWork]] = []
    wrong: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    tokens: dict[str, list[int]] = defaultdict(list)
    for panel in judged:
        true, false = read_claims(panel)
        works.append([SeatWork(one.who, frozenset(true[one.call]), 1.0) for one in panel.chairs])
        heard = {verdict.call for verdict in panel.said}
        for one in panel.chairs:
            if one.call in heard:
                wrong[one.who] += len(false[one.call])
                answers[one.who] += 1
            if one.tokens is not None:
                tokens[one.who].append(one.tokens)
    told = contribution(works, Random(seed))  # noqa: S311 - a bootstrap
    chances = {who: Chances(wrong[who], answers[who]) for who in answers}
    rated = {one.who: one for one in rate_wrong(chances, several=True)}
    seats = sorted(told.seats, key=lambda one: one.alone_per_panel is None)  # of whom too little is known, last
    names = [one.who for one in seats]
    return Page(
        panels=panels,
        judged=len(judged),
        telling=sum(len({one.who for one in work}) > 1 and any(one.found for one in work) for work in works),
        rows=[Row(one, _in_tokens(one, tokens[one.who]), rated.get(one.who)) for one in seats],
        matrix=[
            (name, [Cell(other, told.agreements.get((min(name, other), max(name, other)))) for other in names])
            for name in names
        ],
        opinions=told.opinions,
        base=next((one.base for one in rated.values()), None),
        verdicts=sum(len(panel.said) for panel in judged),
        blind=sum(verdict.blind for panel in judged for verdict in panel.said),
    )


def read_claims(panel: Judged) -> tuple[dict[str, set[int]], dict[str, set[int]]]:
    """Which claims each seat had that are true, and which that are false: numbers of claims by call."""
    sentences = [Wording(one.call, text) for one in panel.said for text in (*one.real, *one.false)]
    true: dict[str, set[int]] = defaultdict(set)
    false: dict[str, set[int]] = defaultdict(set)
    for number, claim in enumerate(map_claims(panel.settled, sentences, ())):
        balance = weigh(claim, panel.said)
        for call in claim.calls if balance else ():
            (true if balance > 0 else false)[call].add(number)
    return true, false


def weigh(claim: Claim, said: Iterable[Said]) -> int:
    """How many more people say that the claim holds than that it is false."""
    texts: dict[str, set[str]] = defaultdict(set)
    for wording in claim.wordings:
        texts[wording.call].add(wording.text)
    on_it = [one for one in said if one.call in texts]
    holds = {one.by for one in on_it if not texts[one.call].isdisjoint(one.real)}
    fails = {one.by for one in on_it if not texts[one.call].isdisjoint(one.false)}
    return len(holds) - len(fails)


def _in_tokens(added: Added, known: Sequence[int]) -> Interval | None:
    """Calls per true claim, times the tokens of a call; None where either is unknown."""
    if added.cost_per_claim is None or not known:
        return None
    mean = sum(known) / len(known)
    return Interval(*(mean * number for number in added.cost_per_claim))
