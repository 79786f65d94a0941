"""Short ways to say what is known of models, and to read pages."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

from django.test import Client
from django.utils import timezone

from collections_app.models import Fact, LanguageModel
from probes.models import ProbeSample

LIST = "/roster/"


def model(alias: str) -> LanguageModel:
    return LanguageModel.objects.select_related("endpoint").get(alias=alias)


def change(alias: str, **fields: Any) -> None:
    LanguageModel.objects.filter(alias=alias).update(**fields)


def fact(alias: str, field: str, value: Any, source: str = "feed", evidence: str = "") -> None:
    Fact.objects.create(language_model=model(alias), field=field, value=value, source=source, evidence=evidence)


def probed(alias: str, days: float = 0, *, prompt: str = "tiny", seconds: float = 1.0, failure: str = "") -> None:
    at = timezone.now() - timedelta(days=days, minutes=1)
    ProbeSample.objects.create(
        language_model=model(alias),
        kind="availability",
        prompt=prompt,
        at=at,
        answered=not failure,
        failure=failure,
        seconds=seconds,
    )


def shown(client: Client, path: str = LIST) -> list[str]:
    """The aliases of a list, in order."""
    page = client.get(path).content.decode()
    return re.findall(r'<th scope="row" class="roster-what"><a class="name" href="/roster/([^/]+)/"', page)


def text(answer: Any) -> str:
    """The words of a page, without its tags."""
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split()))
