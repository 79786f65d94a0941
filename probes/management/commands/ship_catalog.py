"""`manage.py ship_catalog FILE...`: make the copies of feeds that come with the program, for whoever releases it."""

from __future__ import annotations

import gzip
from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from probes.catalog.shapes import NotTheFeed
from probes.catalog.ship import bundle
from probes.catalog.shipped import FILE

MOST_BYTES = 300_000


class Command(BaseCommand):
    help = "Pare feeds (JSON, or JSON with gzip) down to facts and ship them with the program."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", help="Copies of models.dev, OpenRouter or FreeLLMAPI.")
        parser.add_argument("--made", required=True, help="The day the copies are of, such as 2026-05-21.")
        parser.add_argument("--to", default=str(FILE), help="Where to write; the program's own file by default.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = date.fromisoformat(options["made"])
        except ValueError:
            raise CommandError(f"{options['made']} is no day; write it as 2026-05-21.") from None
        try:
            shipped = bundle({name: _bytes(Path(name)) for name in options["files"]}, made)
        except (OSError, NotTheFeed) as problem:
            raise CommandError(str(problem)) from None
        packed = gzip.compress(msgspec.json.encode(shipped), 9, mtime=0)
        if len(packed) > MOST_BYTES:
            raise CommandError(f"The copies make {len(packed):,} bytes; at most {MOST_BYTES:,} are shipped.")
        Path(options["to"]).write_bytes(packed)
        self.stdout.write(f"{', '.join(shipped)}: {len(packed):,} bytes in {options['to']}")


def _bytes(file: Path) -> bytes:
    body = file.read_bytes()
    return gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body
