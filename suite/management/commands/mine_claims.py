"""`manage.py mine_claims [PANEL...]`: make tasks of the claims that people judged."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from gateway.models import Panel
from suite.mining import NothingToMine
from suite.mining_rows import mine_panel, panels_to_mine, read_panel


class Command(BaseCommand):
    help = (
        "Make a draft of each claim that people judged in these panels, with the files that were shown. Without a "
        "panel, tells which have such claims."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("panels", nargs="*", metavar="PANEL")
        parser.add_argument("--all", action="store_true", help="every panel that can be mined")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["panels"] and not options["all"]:
            self._list()
            return
        panels = panels_to_mine() if options["all"] else self._named(options["panels"])
        now, made, refused = timezone.now(), 0, []
        for panel in panels:
            try:
                mined = mine_panel(panel, by="mine_claims", now=now)
            except NothingToMine as why:
                refused.append(str(why))
                continue
            made += len(mined.drafts)
            self.stdout.write(f"{panel.pk}: {len(mined.drafts)} drafts, {mined.drafts[0].slug} and on")
            for claim in mined.disputed:
                self.stdout.write(f"  passed over, for people disagree: {claim}")
            if mined.big:
                self.stdout.write(
                    f"  {mined.size:,} characters of files: cut them down to what the claims need, or small models "
                    "will fail on the length"
                )
        for line in refused:
            self.stdout.write(line)
        self.stdout.write(f"{made} drafts wait for review" if made else "nothing was written")
        if refused and not made and not options["all"]:
            raise CommandError("None of these panels could be mined.")

    def _named(self, names: list[str]) -> list[Panel]:
        found = Panel.objects.in_bulk(names)
        if missing := [name for name in names if name not in found]:
            raise CommandError(f"There is no panel {missing[0]}.")
        return [found[name] for name in dict.fromkeys(names)]

    def _list(self) -> None:
        lines = []
        for panel in panels_to_mine():
            try:
                mined = read_panel(panel)
            except NothingToMine:
                continue
            lines.append(f"{panel.pk}: {len(mined.drafts)} claims")
        self.stdout.write("\n".join(lines or ["No panel has judged claims about files that are no tasks yet."]))
