"""Which members sit: pure. A member that cannot sit gives its chair to the next, and so does one that rests after a
rate limit, where the collection says so."""

from __future__ import annotations

from msgspec import Struct

from gateway.canon.ask import Ask
from gateway.engine.explorers import Skipped, age
from gateway.engine.fitness import read_load, unfit_for_panel
from gateway.engine.moment import Moment
from gateway.engine.snapshot import CollectionView, Snapshot


class Members(Struct, frozen=True):
    """`sitting` in order; `resting` gave their chairs away for now."""

    sitting: tuple[str, ...]
    resting: tuple[str, ...]
    skipped: tuple[Skipped, ...]

    def given_away(self, chairs: int) -> int:
        """How many chairs of members that rest no other member has taken: they are an explorer's."""
        return min(chairs, len(self.sitting) + len(self.resting)) - len(self.sitting)

    def or_whoever_rests(self, chairs: int) -> Members:
        """The same, or those that rest where nobody else sits."""
        if self.sitting or not self.resting:
            return self
        back = self.resting[:chairs]
        return Members(back, (), tuple(skip for skip in self.skipped if skip.alias not in back))


def seat_members(ask: Ask, collection: CollectionView, snapshot: Snapshot, moment: Moment, chairs: int) -> Members:
    """Members in order until `chairs` are taken, or exactly those that the caller named alone."""
    load = read_load(ask)
    named = ask.bench.only
    sitting: list[str] = []
    resting: list[str] = []
    skipped: list[Skipped] = []
    for alias in dict.fromkeys(named or collection.members):
        if len(sitting) >= chairs and not named:
            break
        rest = 0.0 if named or collection.cooldown == "ask" else moment.resting.get(alias, 0.0) - moment.now
        why = unfit_for_panel(alias, snapshot, load)
        if why:
            skipped.append(Skipped("only" if named else "member", alias, why))
        elif rest > 0:
            resting.append(alias)
            skipped.append(Skipped("member", alias, f"rests after a rate limit for another {age(rest)}"))
        else:
            sitting.append(alias)
    return Members(tuple(sitting), tuple(resting), tuple(skipped))
