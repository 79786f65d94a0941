"""The gate: what passes, what does not, and that the gateway does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench import gate
from bench.processes import ROOT, variables
from bench.rounds import Found

TURN, STREAM = gate.LIMITS


@pytest.mark.parametrize(
    ("turn", "stream", "passed"),
    [
        (gate.LIMITS[TURN], gate.LIMITS[STREAM], []),
        (gate.LIMITS[TURN] + 0.1, 1.0, [TURN]),
        (1.0, gate.LIMITS[STREAM] * 2, [STREAM]),
        (99.0, float("nan"), [TURN, STREAM]),
    ],
)
def test_a_limit_is_passed_only_by_more_than_it_allows(turn: float, stream: float, passed: list[str]) -> None:
    assert [line.split(":")[0] for line in gate.judge({TURN: turn, STREAM: stream})] == passed


@pytest.mark.parametrize(("factor", "code"), [(0.5, 0), (1.5, 1)])
def test_a_passed_limit_is_told_and_ends_with_1(
    factor: float, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def measured(rounds: int, seconds: float) -> list[dict[str, Any]]:
        return [
            {"case": case, "ratio": limit * factor, "limit": limit, "relay_cpu_ms": 0.1, "cpu_ms": 1.0, "per_s": 9.0}
            for case, limit in gate.LIMITS.items()
        ]

    monkeypatch.setattr(gate, "measure", measured)
    assert gate.main(["--json", str(tmp_path / "figures.json")]) == code
    said = capsys.readouterr()
    assert TURN in said.out
    assert said.err.count("are allowed") == (2 if code else 0)
    assert [row["case"] for row in json.loads((tmp_path / "figures.json").read_text())["quick"]] == [TURN, STREAM]


def test_a_ratio_is_the_median_of_those_of_the_rounds() -> None:
    found = Found()
    for ours, least in ((4.0, 1.0), (50.0, 10.0), (9.0, 1.0)):
        found.keep("case", "ours", {"cpu_ms": ours})
        found.keep("case", "least", {"cpu_ms": least})
    assert found.ratio("case", "ours", "least", "cpu_ms") == 5.0
    assert found.median("case", "ours", "cpu_ms") == 9.0


@pytest.mark.slow
@pytest.mark.xdist_group("bench")
@pytest.mark.timeout(400)
def test_the_gateway_keeps_the_limits() -> None:
    """In a process of its own, which nothing of this one slows."""
    words = [sys.executable, "-m", "bench", "quick", "--rounds", "3", "--seconds", "0.6"]
    done = subprocess.run(words, cwd=ROOT, env=variables(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert done.stdout.count(" x |") == 4
