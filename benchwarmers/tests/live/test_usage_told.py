"""What two processes answered is summed once, priced, and told to those who may see it."""

from __future__ import annotations

import csv
import io
import json
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from benchwarmers.tests.live.keyed import Keyed, plain_in, send
from benchwarmers.tests.up.running import wait_for

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("keys")]
PRICED = """
[[model]]
alias = "dear"
served = "says-dear"
endpoint = "provider"
ad_hoc = true
prices = { input = 2, output = 10.5 }

[[collection]]
name = "dear"
members = ["dear"]
shape = "general"
max_explorers = 0
"""


def rows_of(person: httpx.Client, path: str) -> list[dict[str, Any]]:
    answer = person.get(path)
    assert answer.status_code == 200
    if "jsonl" in path:
        return [json.loads(line) for line in answer.text.splitlines()]
    return list(csv.DictReader(io.StringIO(answer.text)))


def test_calls_of_two_processes_are_one_sum_with_a_cost(keyed: Keyed, tmp_path: Path) -> None:
    file = tmp_path / "priced.toml"
    file.write_text(PRICED)
    keyed.manage("apply", str(file))
    with closing(keyed.sign_in("ben")) as ben, closing(keyed.sign_in("ada")) as ada:
        plain = plain_in(send(ben, "/keys/new/", {"name": "spender", "opens": "some", "collections": "dear"}))
        for place in (0, 1, 0):
            assert keyed.ask_with(place, plain, "dear")[0] == 200
        table = "/usage/table?by=key&collection=dear"
        wait_for(lambda: [row["calls"] for row in rows_of(ben, table)] == ["3"], 10, keyed.run)
        (line,) = rows_of(ben, table)
        read, written = int(line["tokens_in"]), int(line["tokens_out"])
        assert read > 0
        assert written > 0
        assert (line["requests"], line["failed"], line["unpriced"]) == ("3", "0", "0")
        assert float(line["cost_usd"]) == pytest.approx((read * 2 + written * 10.5) / 1e6, abs=2e-9)
        calls = rows_of(ben, "/usage/export?collection=dear&format=jsonl")
        assert [(row["person"], row["key"], row["requests"]) for row in calls] == [("ben", "spender", 1)] * 3
        assert sum(float(row["cost_usd"]) for row in calls) == pytest.approx(float(line["cost_usd"]))
        assert "spender" in ben.get("/usage/?by=key").text
        assert rows_of(ada, "/usage/table?by=person&collection=dear")[0]["name"] == "ben"
        assert "usage by person" in ada.get("/changes/readings/").text
