"""`manage.py export_suite --form FORM`: what models answered, in the form of another tool."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from collections_app.models import LanguageModel
from suite.exports.answers import Which, answers, newest, spans
from suite.exports.inspect import file_name, inspect_log, sums_of
from suite.exports.lines import json_lines
from suite.exports.promptfoo import promptfoo_results

FORMS = ("jsonl", "inspect", "promptfoo")


class Command(BaseCommand):
    help = (
        "Write every answer with its score as JSON lines, as logs of Inspect (one file a model, into a folder), or as "
        "results of promptfoo. Answers to drafts and dropped tasks stay out."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--form", choices=FORMS, required=True)
        parser.add_argument("--to", type=Path, help="a file, or for inspect a folder; the standard output unless said")
        parser.add_argument("--models", default="", help="aliases, parted by commas; all unless said")
        parser.add_argument("--since", help="answers from this day or moment on, such as 2026-06-01")
        parser.add_argument("--drafts", action="store_true", help="answers to drafts and dropped tasks too")

    def handle(self, *args: Any, **options: Any) -> None:
        which = Which(self._models(options["models"]), _moment(options["since"]), options["drafts"], newest())
        to: Path | None = options["to"]
        if options["form"] == "inspect":
            self._inspect(which, to)
        elif options["form"] == "jsonl":
            self._write(json_lines(answers(which)), to)
        else:
            self._write(promptfoo_results(spans(which), answers(which), timezone.now()), to)

    def _inspect(self, which: Which, folder: Path | None) -> None:
        if folder is None:
            raise CommandError("Name a folder with --to: there is one log a model.")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(f"{folder}: {error.strerror}.") from None
        found = spans(which)
        for span in found:
            mine = msgspec.structs.replace(which, models=(span.model,))
            self._write(inspect_log(span, sums_of(answers(mine)), answers(mine)), folder / file_name(span))
        self.stdout.write(f"{len(found)} logs in {folder}")

    def _write(self, pieces: Iterable[str], to: Path | None) -> None:
        """To the standard output, or to a file that is there whole or not at all."""
        if to is None:
            for piece in pieces:
                self.stdout.write(piece, ending="")
            return
        part = to.with_name(f"{to.name}.part")
        try:
            with part.open("w", encoding="utf-8") as file:
                file.writelines(pieces)
            os.replace(part, to)
        except OSError as error:
            raise CommandError(f"{to}: {error.strerror}.") from None
        finally:
            part.unlink(missing_ok=True)

    def _models(self, words: str) -> tuple[str, ...]:
        names = tuple(name.strip() for name in words.split(",") if name.strip())
        known = set(LanguageModel.objects.filter(alias__in=names).values_list("alias", flat=True))
        if missing := [name for name in names if name not in known]:
            raise CommandError(f"There is no model {missing[0]}.")
        return names


def _moment(words: str | None) -> datetime | None:
    if not words:
        return None
    try:
        moment = parse_datetime(words)
        if moment is None and (day := parse_date(words)) is not None:
            moment = datetime(day.year, day.month, day.day)
    except ValueError:
        moment = None
    if moment is None:
        raise CommandError(f"{words} is neither a day nor a moment; write it as 2026-06-01.")
    return moment if timezone.is_aware(moment) else timezone.make_aware(moment)
