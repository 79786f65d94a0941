"""What one process remembers of its pickers: what they said of the same request, and who has just failed.

Pure: the time comes in as monotonic seconds.
"""

from __future__ import annotations

from collections import OrderedDict
from hashlib import blake2b
from typing import Final

from gateway.engine.picker_plan import Picked, Picker

KEPT_S: Final = 600.0
MOST_KEPT: Final = 1_000
REST_S: Final = 60.0

Identity = tuple[object, ...]


class PickerMemory:
    """At most `MOST_KEPT` picks, each for ten minutes, and a minute's rest for each picker that failed."""

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, tuple[float, Picked]] = OrderedDict()
        self._failed: dict[str, tuple[float, Identity, Picked]] = {}

    def recall(self, picker: Picker, state: str, now: float) -> Picked | None:
        """What is known without asking: the pick for the same state, or the failure of a moment ago. A picker that was
        set up otherwise since then is another one."""
        until, identity, told = self._failed.get(picker.alias, (0.0, (), None))
        if told is not None and now < until and identity == _identity(picker):
            return told
        kept = self._kept.get(_key(picker, state))
        return kept[1] if kept is not None and now < kept[0] else None

    def keep(self, picker: Picker, state: str, picked: Picked, now: float) -> None:
        """The picker answered."""
        self._failed.pop(picker.alias, None)
        key = _key(picker, state)
        self._kept[key] = (now + KEPT_S, picked)
        self._kept.move_to_end(key)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)

    def note_failure(self, picker: Picker, picked: Picked, now: float) -> None:
        """The picker failed, and nobody waits for it again for a minute."""
        self._failed[picker.alias] = (now + REST_S, _identity(picker), picked)


def _identity(picker: Picker) -> Identity:
    return (type(picker), picker.alias, picker.served, getattr(picker, "path", ""), picker.endpoint)


def _key(picker: Picker, state: str) -> bytes:
    """Short, so that no request is kept in memory for this."""
    asked = repr((*_identity(picker)[1:4], picker.endpoint.id))
    return blake2b(f"{asked}\0{state}".encode("utf-8", "surrogatepass"), digest_size=16).digest()
