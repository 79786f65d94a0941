"""The access log: a line a request, in one write for many, with nothing secret in it."""

from __future__ import annotations

import asyncio
import io
import logging
import re

import pytest

from benchwarmers import access
from benchwarmers.access import AccessLines
from benchwarmers.tests.served import served


@pytest.fixture(autouse=True)
def told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="gateway.access")


class Writes(io.StringIO):
    """Counts how often it is written to."""

    writes = 0

    def write(self, text: str) -> int:
        self.writes += 1
        return super().write(text)


async def test_a_line_has_time_method_path_status_and_caller() -> None:
    stream = io.StringIO()
    lines = AccessLines(stream)
    lines.note(served("POST", "/v1/messages", 200, "ci"))
    lines.flush()
    line = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} INFO gateway\.access POST /v1/messages 200 ci 0\.250s abc\n"
    assert re.fullmatch(line, stream.getvalue())


async def test_a_path_can_forge_no_field() -> None:
    stream = io.StringIO()
    lines = AccessLines(stream)
    lines.note(served("GET", "/x 200 boss 0.001s", 404, "-"))
    lines.flush()
    assert " GET /x%20200%20boss%200.001s 404 - 0.250s abc\n" in stream.getvalue()


async def test_lines_go_out_together_and_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "GATHER_S", 0.02)
    stream = Writes()
    lines = AccessLines(stream)
    for _ in range(5):
        lines.note(served("POST", "/v1/messages", 200, "ci"))
    assert stream.writes == 0
    await asyncio.sleep(0.1)
    assert (stream.writes, stream.getvalue().count("\n")) == (1, 5)
    lines.note(served("POST", "/api/chat", 404, "-"))
    await asyncio.sleep(0.1)
    assert (stream.writes, stream.getvalue().count("\n")) == (2, 6)


async def test_a_path_is_cut_and_can_forge_no_line_and_show_no_key() -> None:
    stream = io.StringIO()
    lines = AccessLines(stream)
    lines.note(served("POST", "/v1/\n2026 INFO forged/bwk_abcdefghijkl/" + "x" * 500, 404, "-"))
    lines.flush()
    (line,) = stream.getvalue().splitlines()
    assert "bwk_abcdefghijkl" not in line
    assert "\\n2026" in line
    assert len(line) < 300


async def test_a_quieter_log_has_none(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, logger="gateway.access")
    stream = io.StringIO()
    lines = AccessLines(stream)
    lines.note(served("POST", "/v1/messages", 200, "ci"))
    lines.flush()
    assert stream.getvalue() == ""
