"""Makes a request body wrong in a few places, as a seed says: what callers get wrong, and what they never would."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

DEEP = 3_000
_PLAIN: tuple[Any, ...] = (None, True, False, 0, 1, -1, 0.5, "", " ", "x", "auto", [], {}, [[]], [None], {"": None})
_HUGE: tuple[Any, ...] = (2**31, 2**63, 2**64, -(2**63) - 1, 10**40, 1e308, -1e308, 5e-324, 10**400)
_ODD_TEXTS = (
    "\x00",
    "\ud800",
    "\udc00\ud800",
    "\ufeff",
    "\u2028\u2029",
    "\x1b[31m",
    "é" * 5,
    "e\u0301",
    "🌍",
    "a\nb\r\nc",
    "\\",
    '"',
    "null",
    "data:image/png;base64,",
    "data:;base64,AAAA",
    "http://[",
    "https://",
    "file:///etc/hosts",
    "x" * 5_000,
)

Place = tuple[Any, Any]
"""(container, key or index)."""


def mutate(rng: Random, body: Any) -> bytes:
    """`body` with one to four things wrong, as bytes that are mostly JSON. `body` itself is used up."""
    box = [body]
    for _ in range(rng.randint(1, 4)):
        box = box or [{}]
        places = list(_places(box))
        rng.choice(_CHANGES)(rng, rng.choice(places), places)
    data = json.dumps(box[0] if box else None, ensure_ascii=rng.random() < 0.5)
    if rng.random() < 0.03:
        data = _nested(rng, data)
    raw = data.encode("utf-8", "surrogatepass")
    return _spoil(rng, raw) if rng.random() < 0.08 else raw


def _places(value: Any) -> Iterator[Place]:
    """Everything inside, each with where it stands."""
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        for key in range(len(holder)) if isinstance(holder, list) else list(holder):
            yield holder, key
            if isinstance(holder[key], dict | list):
                waiting.append(holder[key])


# --- changes ----------------------------------------------------------------------------------------------------------


def _set_plain(rng: Random, place: Place, places: list[Place]) -> None:
    place[0][place[1]] = json.loads(json.dumps(rng.choice(_PLAIN)))


def _set_huge(rng: Random, place: Place, places: list[Place]) -> None:
    place[0][place[1]] = rng.choice(_HUGE)


def _set_odd_text(rng: Random, place: Place, places: list[Place]) -> None:
    place[0][place[1]] = rng.choice(_ODD_TEXTS)


def _set_null(rng: Random, place: Place, places: list[Place]) -> None:
    place[0][place[1]] = None


def _nulls_everywhere(rng: Random, place: Place, places: list[Place]) -> None:
    share = rng.random() / 3
    for holder, key in places:
        if rng.random() < share and (key in holder if isinstance(holder, dict) else key < len(holder)):
            holder[key] = None


def _change_type(rng: Random, place: Place, places: list[Place]) -> None:
    """The same thing in another type: a number as text, a text as a list, an object as its JSON."""
    holder, key = place
    old = holder[key]
    forms: tuple[Callable[[], Any], ...] = (
        lambda: str(old)[:2_000],
        lambda: [old],
        lambda: {"value": old},
        lambda: json.dumps(old),
        lambda: len(str(old)),
        lambda: {str(at): inner for at, inner in enumerate(old)} if isinstance(old, list) else bool(old),
    )
    holder[key] = rng.choice(forms)()


def _delete(rng: Random, place: Place, places: list[Place]) -> None:
    holder, key = place
    del holder[key]


def _repeat(rng: Random, place: Place, places: list[Place]) -> None:
    holder, key = place
    twin = json.loads(json.dumps(holder[key]))
    if isinstance(holder, list):
        holder[key:key] = [twin] * rng.choice((1, 2, 30))
    else:
        holder[rng.choice(("type", "content", "id", "name", "extra", key.upper(), f"{key} "))] = twin


def _move(rng: Random, place: Place, places: list[Place]) -> None:
    """What stands in one place, in another."""
    holder, key = place
    other, at = rng.choice(places)
    holder[key] = json.loads(json.dumps(other[at]))


def _rename(rng: Random, place: Place, places: list[Place]) -> None:
    """A value under a key that is used elsewhere."""
    holder, key = place
    names = [at for within, at in places if isinstance(within, dict)]
    if isinstance(holder, dict) and names:
        holder[rng.choice(names)] = holder.pop(key)


def _shuffle(rng: Random, place: Place, places: list[Place]) -> None:
    lists = [holder[key] for holder, key in places if isinstance(holder[key], list)]
    if lists:
        rng.shuffle(rng.choice(lists))


_CHANGES: tuple[Callable[[Random, Place, list[Place]], None], ...] = (
    _set_plain,
    _set_plain,
    _set_huge,
    _set_odd_text,
    _set_null,
    _nulls_everywhere,
    _change_type,
    _change_type,
    _delete,
    _delete,
    _repeat,
    _move,
    _move,
    _rename,
    _shuffle,
)


# --- bytes ------------------------------------------------------------------------------------------------------------


def _nested(rng: Random, data: str) -> str:
    """The same with a field of something deep, or something deep in its place."""
    opened, closed = rng.choice((("[", "]"), ('{"a":', "}")))
    deep = opened * DEEP + "1" + closed * DEEP
    field = rng.choice(("messages", "input", "contents", "tools", "metadata", "format", "options", "x"))
    return f'{{"{field}":{deep},{data[1:]}' if data.startswith("{") and len(data) > 2 else deep


def _spoil(rng: Random, raw: bytes) -> bytes:
    at = rng.randrange(len(raw) + 1)
    match rng.randrange(6):
        case 0:
            return raw[:at]
        case 1:
            return raw[:at] + bytes([rng.randrange(256)]) + raw[at + 1 :]
        case 2:
            return (
                raw[:at]
                + rng.choice((b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x00", b"\\u12", b"NaN", b"Infinity"))
                + raw[at:]
            )
        case 3:
            return b"\xef\xbb\xbf" + raw
        case 4:
            return raw + raw
        case _:
            return raw.decode("utf-8", "replace").encode("utf-16")
