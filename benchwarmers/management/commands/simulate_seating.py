"""`manage.py simulate_seating`: play seasons of made-up models through the product's own seating and compare them."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from benchwarmers.simulation.curves import draw_curves
from benchwarmers.simulation.league import make_league
from benchwarmers.simulation.report import write_table
from benchwarmers.simulation.season import WAYS, play


class Command(BaseCommand):
    help = "Play seasons of synthetic models through the real rankings and compare them. Reads no evidence."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--panels", type=int, default=5000, help="requests in a season, 40 a day (5000)")
        parser.add_argument("--seed", type=int, default=1, help="the same seed plays the same season again (1)")
        parser.add_argument("--explorers", type=int, default=2, help="explorers a request, 0 to 2 (2)")
        parser.add_argument("--drift", action="store_true", help="the models change after half of the season")
        parser.add_argument("--half-life", type=float, default=60, help="days until a verdict counts half (60)")
        parser.add_argument("--out", type=Path, help="a folder for seating.md and seating.svg")

    def handle(self, *args: Any, **options: Any) -> None:
        panels, seed = options["panels"], options["seed"]
        if panels < 1:
            raise CommandError("--panels is a number from 1.")
        if not options["half_life"] > 0:
            raise CommandError("--half-life is a number of days above 0.")
        if not 0 <= options["explorers"] <= 2:
            raise CommandError("--explorers is 0, 1 or 2.")
        league = make_league(seed, drift=options["drift"])
        seasons = [
            play(league, way, panels, seed, explorers=options["explorers"], half_life_days=options["half_life"])
            for way in WAYS
        ]
        table = write_table(seasons)
        self.stdout.write(table)
        if options["out"] is not None:
            curves = {season.way: season.regret for season in seasons}
            drawing = draw_curves("Useful answers missed so far", "requests", "regret", curves)
            self._write(options["out"], {"seating.md": table, "seating.svg": drawing})

    def _write(self, folder: Path, files: dict[str, str]) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, text in files.items():
                (folder / name).write_text(text, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{folder} cannot be written: {error.strerror}.") from None
        self.stdout.write(f"written to {folder}")
