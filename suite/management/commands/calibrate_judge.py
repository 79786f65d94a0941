"""`manage.py calibrate_judge MODEL`: measure how often a model is wrong about claims whose truth is known."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from collections_app.intervals import Interval
from suite.judging.begin import NoJudge, begin, judge_called
from suite.judging.measure import Rates
from suite.judging.rows import known_claims, rates_of
from suite.judging.work import CALIBRATE


class Command(BaseCommand):
    help = (
        "Try a model as a judge on claims of answers whose truth the tasks' keys tell, one call a claim, and print "
        "what is known of its error. It is never shown answers of its own family."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("model", help="the judge's alias")
        parser.add_argument("--most", type=int, default=100, help="claims; 100 unless said")
        parser.add_argument("--table", action="store_true", help="print what is known, and ask nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            model = judge_called(options["model"])
        except NoJudge as problem:
            raise CommandError(str(problem)) from None
        if not 1 <= options["most"] <= 1000:
            raise CommandError("Ask for 1 to 1000 claims.")
        for line in told(rates_of(model)):
            self.stdout.write(line)
        if options["table"]:
            return
        found = known_claims(model, options["most"])
        if not found:
            raise CommandError("No answer of another family has a claim whose truth is known and that is new to it.")
        job = begin(model, CALIBRATE, options["most"], by="calibrate_judge", now=timezone.now())
        if job is None:
            raise CommandError(f"{model.alias} is at work as a judge already.")
        self.stdout.write(f"job {job.pk} begins: {len(found)} claims")


def told(rates: Rates) -> list[str]:
    """What is known of a judge's error, for people."""
    return [
        f"calls true claims true: {_share(rates.sensitivity, rates.trues)}",
        f"calls false claims false: {_share(rates.specificity, rates.falses)}",
        f"may not judge: {rates.why_not}" if rates.why_not else "may judge",
    ]


def _share(share: Interval | None, of: int) -> str:
    return f"{share.share:.0%} of {of} ({share.low:.0%} to {share.high:.0%})" if share else "never tried"
