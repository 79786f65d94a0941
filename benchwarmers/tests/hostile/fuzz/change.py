"""Makes an input wrong: in its structure, where it is JSON or lines of JSON, else in its bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random

from gateway.tests.wire.mutate import mutate
from gateway.tests.wire.test_fuzz_replies import spoil

STRETCH = 60_000
DEEP = 20_000
ODD = (
    b"\x00",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    "٣".encode(),
    "İ".encode(),
    b"\r",
    b"\r\n\r\n",
    b"\x1b[2J",
    b"\\ud800",
    b"NaN",
    b"-Infinity",
    b"1e999999",
    b"9" * 5_000,
    b"-0",
    b"0x1F",
    b"null",
    b"true",
    b"{}",
    b"[]",
    b'""',
    b'"',
    b"'",
    b"%00",
    b"%f0%9f",
    b"%s%n",
    b"../../",
    b"{{7*7}}",
    b"\\",
    b"<script",
    b"&amp;",
    b"(" * 50,
    b"data:",
    b": ",
    b",",
    b"|",
    b"=",
    b"2026-13-45T99:99:99Z",
)
_NUMBER = re.compile(rb"\d+")

Change = Callable[[Random, bytes], bytes]


def change(rng: Random, seeds: Sequence[bytes]) -> bytes:
    """One of the seeds, short ones more often, with something wrong. Sometimes two of them in one."""
    seed = rng.choices(seeds, [1 / (500 + len(one)) for one in seeds])[0]
    kind = rng.random()
    if kind < 0.45 and (changed := _structure(rng, seed)) is not None:
        seed = changed
    elif kind < 0.55:
        other = rng.choice(seeds)
        seed = seed[: rng.randrange(len(seed) + 1)] + other[rng.randrange(len(other) + 1) :]
    else:
        for _ in range(rng.choice((1, 1, 1, 2, 5))):
            seed = rng.choice(_CHANGES)(rng, seed)
    return seed


def _structure(rng: Random, seed: bytes) -> bytes | None:
    """Wrong as JSON, or as lines of it; None for what is neither."""
    try:
        return mutate(rng, json.loads(seed))
    except (ValueError, RecursionError):
        return spoil(rng, seed) if b"{" in seed else None


def _place(rng: Random, data: bytes) -> tuple[int, int]:
    """A piece: mostly short, sometimes any."""
    start = rng.randrange(len(data) + 1)
    long = rng.choice((1, 1, 4, 20, len(data)))
    return start, min(len(data), start + rng.randrange(long + 1))


def _flip(rng: Random, data: bytes) -> bytes:
    at, _ = _place(rng, data)
    return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]


def _leave_out(rng: Random, data: bytes) -> bytes:
    start, end = _place(rng, data)
    return data[:start] + data[end:]


def _double(rng: Random, data: bytes) -> bytes:
    start, end = _place(rng, data)
    return data[:end] + data[start:end] * rng.choice((1, 2, 50)) + data[end:]


def _stretch(rng: Random, data: bytes) -> bytes:
    """A short piece again and again: what a pattern that looks back pays dearly for."""
    start, _ = _place(rng, data)
    piece = data[start : start + rng.randint(1, 8)] or rng.choice(ODD)[:8]
    if rng.random() < 0.3:
        piece = rng.choice((b" ", b"\t", b"<", b"[", b"(", b"`", b"*", b"a", b"0", b"\\", b'"', b"-", b"\n"))
    return data[:start] + piece * (STRETCH // len(piece)) + (data[start:] if rng.random() < 0.5 else b"")


def _insert(rng: Random, data: bytes) -> bytes:
    at, _ = _place(rng, data)
    return data[:at] + rng.choice(ODD) + data[at:]


def _overwrite(rng: Random, data: bytes) -> bytes:
    start, end = _place(rng, data)
    return data[:start] + rng.choice(ODD) + data[end:]


def _cut(rng: Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _number(rng: Random, data: bytes) -> bytes:
    """Another number in the place of one."""
    found = list(_NUMBER.finditer(data[:20_000]))
    if not found:
        return _insert(rng, data)
    one = rng.choice(found)
    wild = (b"0", b"-1", b"1e400", b"9" * 25, b"9" * 4_400, b"2147483648", b"18446744073709551616", b"0.1e-500", b"00")
    return data[: one.start()] + rng.choice(wild) + data[one.end() :]


def _nest(rng: Random, data: bytes) -> bytes:
    at, _ = _place(rng, data)
    opened, closed = rng.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"(", b")"), (b"- ", b""), (b"{", b"}")))
    many = rng.choice((100, 2_000, DEEP))
    return data[:at] + opened * many + closed * rng.choice((0, many)) + data[at:]


def _recode(rng: Random, data: bytes) -> bytes:
    return data.decode("utf-8", "replace").encode(rng.choice(("utf-16", "utf-8-sig", "utf-32-be")))


_CHANGES: tuple[Change, ...] = (
    _flip,
    _flip,
    _leave_out,
    _leave_out,
    _double,
    _stretch,
    _insert,
    _insert,
    _overwrite,
    _cut,
    _number,
    _nest,
    _recode,
)
