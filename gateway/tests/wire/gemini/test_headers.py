"""What a panel's headers tell."""

import json

import pytest
from msgspec import Raw

from gateway.wire.gemini import bench_headers

SEAT = {"call": "p1.member1", "seat": "member", "alias": "alpha", "status": "ok"}
MERGER = {"call": "p1.merger", "seat": "merger", "alias": "beta", "status": "error"}


def test_a_panels_id_and_seats_are_told_the_merger_last() -> None:
    bench = {"panel": "p1", "seats": [{**SEAT, "answer": "北", "seconds": 1.5}], "merger": {**MERGER, "error": "x"}}
    headers = bench_headers(Raw(json.dumps(bench).encode()))

    assert headers["X-Bench-Panel"] == "p1"
    assert json.loads(headers["X-Bench-Seats"]) == [SEAT, MERGER]


def test_header_values_are_plain_letters() -> None:
    bench = {"panel": "p1", "seats": [{**SEAT, "alias": "北\n"}]}
    told = bench_headers(Raw(json.dumps(bench).encode()))["X-Bench-Seats"]

    assert told.isascii()
    assert "\n" not in told


@pytest.mark.parametrize("bench", [None, Raw(b"{}"), Raw(b'{"model":"m","conversation":"c"}'), Raw(b"5")])
def test_what_is_no_panel_has_no_headers(bench: Raw | None) -> None:
    assert bench_headers(bench) == {}
