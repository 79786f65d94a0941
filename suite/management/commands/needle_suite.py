"""`manage.py needle_suite`: hide described functions in much real code, and ask models to find them. On demand only."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from gateway.canon.tokens import estimate_length
from suite.needles.begin import begin, fitting, release_of
from suite.needles.draft import Order, drafts, sizes_of
from suite.needles.draw import Haystack, TooLittle
from suite.needles.selectors import tries
from suite.needles.sheet import NOTE, Row, rows
from suite.seeding.sources import NoSource, Source, package_root, read_sources

MOST_POSITIONS = 20


class Command(BaseCommand):
    help = (
        "Ask models to find one described function in 16k, 64k or 128k tokens of an installed package's code, at every "
        "depth. Asked only of models whose context window is known to hold it. Never scheduled."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--models", default="", help="aliases, parted by commas")
        parser.add_argument("--sizes", default="16k", help="tokens of the question, such as 16k,64k,128k")
        parser.add_argument("--positions", type=int, default=10, help="how many depths; 10 unless said")
        parser.add_argument("--packages", default="django", help="installed packages, parted by commas")
        parser.add_argument("--seed", type=int, default=0, help="the same number hides the same functions")
        parser.add_argument("--repetitions", type=int, default=1)
        parser.add_argument("--dry-run", action="store_true", help="say what would be asked, and ask nobody")
        parser.add_argument("--table", action="store_true", help="print what was found so far, and ask nobody")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["table"]:
            self._table()
            return
        sizes, packages, aliases = self._said(options)
        try:
            groups = fitting(aliases, sizes, self.stdout.write)
            held = sorted({size for group in groups for size in group})
            if not held:
                raise CommandError("None of these models is known to hold any of these sizes.")
            order, haystack = self._prepared(packages, tuple(held), options)
            made = drafts(haystack, order)
        except (LookupError, NoSource, TooLittle) as problem:
            raise CommandError(str(problem)) from None
        calls = sum(len(group) * options["positions"] * len(names) for group, names in groups.items())
        calls *= options["repetitions"]
        self.stdout.write(f"{len(made)} needles, {calls} calls")
        if options["dry_run"]:
            for draft in made:
                self.stdout.write(f"{draft.slug}: {draft.source}")
            return
        now = timezone.now()
        for one in begin(made, groups, repetitions=options["repetitions"], by="needle_suite", now=now):
            self.stdout.write(f"pass {one.pk} begins: {one.note}, {one.attempts.count()} calls")

    def _said(self, options: dict[str, Any]) -> tuple[tuple[int, ...], list[str], list[str]]:
        try:
            sizes = sizes_of(_words(options["sizes"]))
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        aliases, packages = _words(options["models"]), _words(options["packages"])
        if not aliases or not packages or not sizes:
            raise CommandError("Name at least one model, one size and one package.")
        if not 1 <= options["positions"] <= MOST_POSITIONS:
            raise CommandError(f"Ask for 1 to {MOST_POSITIONS} positions.")
        if not 1 <= options["repetitions"] <= 10:
            raise CommandError("Ask for 1 to 10 repetitions.")
        return sizes, packages, aliases

    def _prepared(self, packages: list[str], sizes: tuple[int, ...], options: dict[str, Any]) -> tuple[Order, Haystack]:
        sources: list[Source] = []
        about = {name: release_of(name) for name in packages}
        for name in packages:
            if not name.isidentifier():
                raise NoSource(f"{name} is no package's name.")
            sources += read_sources(package_root(name), (".py",), prefix=f"{name}/")
        licences = sorted({licence for _, licence in about.values() if licence})
        releases = {name: release for name, (release, _) in about.items()}
        order = Order(releases, sizes, options["positions"], options["seed"], ", ".join(licences))
        haystack = Haystack(sources)
        held = estimate_length(sum(len(one.text) for one in haystack.sources.values()))
        self.stdout.write(f"{', '.join(packages)}: {len(haystack.functions):,} functions, {held:,} tokens")
        return order, haystack

    def _table(self) -> None:
        found = rows(tries())
        for row in found:
            self.stdout.write(_line(row))
        self.stdout.write(NOTE if found else "no model was asked for a needle yet")


def _words(said: str) -> list[str]:
    return [word.strip() for word in said.split(",") if word.strip()]


def _line(row: Row) -> str:
    interval = row.found.interval
    share = f"{interval.share:.0%} ({interval.low:.0%} to {interval.high:.0%})" if interval else "no answer"
    cells = "  ".join(
        f"{cell.depth:.0%}: {f'{cell.found.share:.0%}' if cell.found.share is not None else '-'}" for cell in row.cells
    )
    others = ", ".join(f"{count} {outcome}" for outcome, count in row.others.items())
    return f"{row.model}  {row.tokens:,} tokens  {share}  by depth {cells}{f'  ({others})' if others else ''}"
