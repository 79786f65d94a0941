"""Models behind a hub: named after the upstream's own id, under the connection that the hub tells."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.secret import do_save_secret
from collections_app.models import LanguageModel
from probes.onboarding.candidates import load_candidates
from probes.tests.hubs.front import ADMIN, fronting
from probes.tests.hubs.scripted import openwebui
from probes.tests.jobs.given import NOW
from probes.tests.onboarding.taken import asked, worked


@pytest.fixture
def hub(aside: None) -> Iterator[None]:
    """The endpoint `hub`, an Open WebUI that lists three models and chats with nobody."""
    scripted, _ = openwebui()
    with fronting(scripted) as root:
        do_save_secret(actor=None, name="hub", plain=ADMIN)
        do_save_endpoint(actor=None, name="hub", base=f"{root}/api", kind="hub", hub="openwebui", key_name="hub")
        yield


def test_candidates_are_grouped_by_the_connections_that_the_hub_tells(hub: None) -> None:
    found = load_candidates(NOW).candidates
    assert {one.served: one.group for one in found} == {
        "or.maker/one": "openrouter",
        "home-7b": "lan-proxy",
        "llama3:8b": "local",
    }


def test_the_alias_has_no_prefix_and_the_job_runs_in_its_connection_s_lane(hub: None) -> None:
    (job,) = asked("or.maker/one", endpoint="hub")
    assert job.lane == "openrouter"
    assert worked(job).state == "no answer"
    model = LanguageModel.objects.get()
    assert (model.alias, model.served, model.tag) == ("one", "or.maker/one", "openrouter")
