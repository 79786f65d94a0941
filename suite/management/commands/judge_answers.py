"""`manage.py judge_answers MODEL`: have a measured judge say what it thinks of claims that no key covers."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from suite.judging.begin import NoJudge, begin, judge_called
from suite.judging.rows import free_claims, judged, rates_of
from suite.judging.work import JUDGE


class Command(BaseCommand):
    help = (
        "Ask a judge about claims in free words of answers to finding tasks, one call a claim, and print the share "
        "that is true by its measured error. Apart from all scores by keys. Refused until its error is known "
        "(calibrate_judge)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("model", help="the judge's alias")
        parser.add_argument("--models", default="", help="whose answers, aliases parted by commas; all unless said")
        parser.add_argument("--most", type=int, default=200, help="claims; 200 unless said")
        parser.add_argument("--table", action="store_true", help="print what was judged, and ask nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            model = judge_called(options["model"])
        except NoJudge as problem:
            raise CommandError(str(problem)) from None
        if not 1 <= options["most"] <= 5000:
            raise CommandError("Ask for 1 to 5000 claims.")
        if why := rates_of(model).why_not:
            raise CommandError(f"{model.alias} may not judge: {why}. See calibrate_judge.")
        for one in judged(model):
            self.stdout.write(
                f"{one.model}  {one.claims} claims in {one.answers} answers  called true {one.apparent:.0%}  "
                f"corrected {one.corrected:.0%} ({one.low:.0%} to {one.high:.0%})"
            )
        if options["table"]:
            return
        aliases = [word.strip() for word in options["models"].split(",") if word.strip()]
        found = free_claims(model, options["most"], aliases)
        if not found:
            raise CommandError("No answer of another family has a claim that it was not asked about yet.")
        job = begin(model, JUDGE, options["most"], by="judge_answers", now=timezone.now(), models=aliases)
        if job is None:
            raise CommandError(f"{model.alias} is at work as a judge already.")
        self.stdout.write(f"job {job.pk} begins: {len(found)} claims")
