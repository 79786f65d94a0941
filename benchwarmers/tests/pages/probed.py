"""Lets probes have asked the models of a running installation: `month` fills a month, `fails ALIAS` adds a failure.

Run as a program with the variables of that installation.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import timedelta


def fill_month() -> None:
    """A month of questions to three models, and what is known of them."""
    from django.utils import timezone

    from collections_app.models import Fact, LanguageModel
    from probes.models import ProbeSample

    now = timezone.now()
    for place, alias in enumerate(("granite-l", "heron-70b", "wren")):
        model = LanguageModel.objects.get(alias=alias)
        for day in range(30):
            failure = "capacity" if place and day % (9 - 2 * place) == 0 else ""
            for prompt, seconds in (("tiny", 0.8 + place + day % 4 / 5), ("large", 6.0 + day % 3)):
                if prompt == "large" and day % 7:
                    continue
                ProbeSample.objects.create(
                    language_model=model,
                    kind="availability",
                    prompt=prompt,
                    at=now - timedelta(days=day, hours=1),
                    answered=not failure,
                    failure=failure,
                    seconds=seconds,
                )
        for field, value in (("context_window", 128_000), ("tools", True), ("prices", {"input": 0.25, "output": 1.5})):
            Fact.objects.update_or_create(
                language_model=model, field=field, source="feed", defaults={"value": value, "evidence": "models.dev"}
            )


def fail(alias: str) -> None:
    """The model did not answer just now."""
    from django.utils import timezone

    from collections_app.models import LanguageModel
    from probes.health.store_status import note_sample
    from probes.models import ProbeSample

    model, now = LanguageModel.objects.get(alias=alias), timezone.now()
    sample = ProbeSample.objects.create(
        language_model=model,
        kind="availability",
        prompt="tiny",
        at=now,
        answered=False,
        failure="capacity",
        detail="come back later",
    )
    note_sample(model, sample, now)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.settings")
    import django

    django.setup()
    moves: dict[str, Callable[..., None]] = {"month": fill_month, "fails": fail}
    moves[sys.argv[1]](*sys.argv[2:])
