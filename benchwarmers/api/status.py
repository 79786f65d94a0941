"""How the installation stands, in a few numbers."""

from __future__ import annotations

from django.conf import settings
from rest_framework.response import Response

from benchwarmers.api.schedule import load_schedule
from benchwarmers.api.view import ApiView, Asked, asks
from benchwarmers.version import version
from collections_app.models import Collection, DecisionModel, Endpoint, LanguageModel
from gateway.canon.kinds import JobState
from probes.models import Job

OPEN = (JobState.QUEUED.value, JobState.RUNNING.value)


class StatusView(ApiView):
    """GET /api/status."""

    @asks()
    def get(self, asked: Asked) -> Response:
        """Counts of what there is; the data folder only for admins."""
        bench = settings.BENCH
        onboarding = Job.objects.filter(kind="onboard", state__in=OPEN)
        schedule = load_schedule()
        default = Endpoint.objects.filter(default=True).values_list("name", flat=True).first()
        return self.done(
            version=version().number,
            you=self.person.get_username(),
            gateway=f"{bench.address}/v1",
            folder=str(bench.home) if self.person.is_superuser else None,
            models=LanguageModel.objects.filter(retired_at=None).count(),
            decision_models=DecisionModel.objects.count(),
            retired=LanguageModel.objects.exclude(retired_at=None).count(),
            collections=Collection.objects.count(),
            endpoints=Endpoint.objects.count(),
            default_endpoint=default or "",
            scheduler=schedule["mode"],
            scheduler_jobs=schedule["jobs"],
            auth="token",
            keys_required=bench.require_keys,
            onboarding={"running": onboarding.filter(state=JobState.RUNNING).exists(), "items": onboarding.count()},
        )
