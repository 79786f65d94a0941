"""Which topics a person may hear: a topic that names something is told to those who see it, and to nobody else. Reads
only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import QuerySet

from benchwarmers.sight import visible_conversations, visible_panels
from probes.models import Job


def visible_jobs(person: User) -> QuerySet[Job]:
    """All of them or none."""
    return Job.objects.all() if person.has_perm("probes.view_job") else Job.objects.none()


NAMED: Final[dict[str, Callable[[User], QuerySet[Any]]]] = {
    "panel": visible_panels,
    "conversation": visible_conversations,
    "job": visible_jobs,
}
"""What a topic such as `panel:<id>` names, and who sees it. A kind that is not here is told to nobody."""
REMEMBERED = 1000


class Hearing:
    """One person's. What is known of a topic is remembered: nothing changes hands. Sync."""

    def __init__(self, person: User) -> None:
        self.person = person
        self._known: dict[str, bool] = {}

    def among(self, topics: Iterable[str]) -> list[str]:
        """Those that this person may hear, by name. One query for each kind of thing that is not yet known of."""
        wanted = sorted(topics)
        unknown = [topic for topic in wanted if ":" in topic and topic not in self._known]
        if unknown:
            self._learn(unknown)
        return [topic for topic in wanted if self._known.get(topic, ":" not in topic)]

    def _learn(self, topics: list[str]) -> None:
        if len(self._known) + len(topics) > REMEMBERED:
            self._known.clear()
        self._known |= dict.fromkeys(topics, False)
        for kind, visible in NAMED.items():
            names = [topic.partition(":")[2] for topic in topics if topic.startswith(f"{kind}:")]
            if names:
                seen = visible(self.person).filter(pk__in=names).values_list("pk", flat=True)
                self._known |= {f"{kind}:{name}": True for name in seen}
