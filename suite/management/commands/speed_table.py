"""`manage.py speed_table`: how fast models answered in their latest speed sweep. Asks nobody."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandParser

from suite.speed import Speed
from suite.speed_rows import latest_speeds, models_failing_large


class Command(BaseCommand):
    help = (
        "Print for each model and prompt how many answered in the latest speed sweep, with the median, the slow end "
        "(95 of 100), the extremes and the change since the sweep before; changes under 15 % are not told."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="one object a line, times in seconds")

    def handle(self, *args: Any, **options: Any) -> None:
        found = latest_speeds()
        if options["json"]:
            for one in found:
                self.stdout.write(json.dumps(msgspec.to_builtins(one)))
            return
        for one in found:
            self.stdout.write(line(one))
        if not found:
            self.stdout.write("there was no speed sweep yet")
        if failing := models_failing_large():
            self.stdout.write(f"asked no large question: {', '.join(sorted(failing))}")


def line(one: Speed) -> str:
    """One model and prompt, for people."""
    parts = [f"{one.model}  {one.prompt}  {one.outcomes.get('answered', 0)} of {one.n}"]
    if one.p50 is not None and one.p95 is not None and one.least is not None and one.most is not None:
        parts.append(f"p50 {one.p50:.2f} s  p95 {one.p95:.2f} s  ({one.least:.2f} to {one.most:.2f})")
    if one.tokens_per_s is not None:
        parts.append(f"{one.tokens_per_s:.0f} tokens/s")
    if one.chars_per_s is not None:
        parts.append(f"{one.chars_per_s:.0f} characters/s")
    if one.trend is not None:
        parts.append(f"{abs(one.trend):.0%} {'slower' if one.trend > 0 else 'faster'} than before")
    if one.worst:
        parts.append(f"{one.worst}: {one.detail}" if one.detail else one.worst)
    return "  ".join(parts)
