"""Keeps what a probing call found. Rows are only added."""

from __future__ import annotations

from datetime import datetime

from probes.asking import Seen
from probes.models import Job, ProbeSample


def keep_sample(seen: Seen, kind: str, job: Job | None = None, *, at: datetime) -> ProbeSample:
    """The row of it. `kind` says why it was asked: availability, speed, capability, confirm, retry, onboarding or
    fingerprint. Raises IntegrityError when the model's row is gone, by the end of the transaction at the latest."""
    return ProbeSample.objects.create(
        language_model_id=seen.model_id,
        job=job,
        kind=kind,
        prompt=seen.prompt,
        at=at,
        answered=seen.answered,
        passed=seen.passed,
        failure=seen.failure,
        refusal=seen.refusal,
        account_wide=seen.account_wide,
        upstream_status=seen.upstream_status,
        detail=seen.detail.replace("\0", "\ufffd"),
        served_as=seen.served_as.replace("\0", "\ufffd"),
        seconds=seen.seconds,
        first_token_s=seen.first_token_s,
        tokens_in=seen.tokens_in,
        tokens_out=seen.tokens_out,
        reasoning=seen.reasoning,
        characters=len(seen.text) if seen.answered else None,
    )
