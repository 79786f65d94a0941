"""Renews an endpoint's sign-in when it is about to be used and ends soon."""

from __future__ import annotations

from collections_app.models import Endpoint
from probes.sign_ins.desk import Desk, desk
from probes.sign_ins.renew import due, renew


def renew_before_use(endpoint: Endpoint, at: Desk | None = None) -> None:
    """Renew it if it is due, at this desk or the installation's own. An endpoint that is not saved has none."""
    at = at or desk()
    for row in due(at.clock()) if endpoint.pk else ():
        if row.endpoint_id == endpoint.pk:
            renew(at, row)
