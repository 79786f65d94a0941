"""The set-up file of the crew."""

from __future__ import annotations

import tomllib

from benchwarmers.tests.agents.flavour import ROUTE
from benchwarmers.tests.agents.installation import set_up
from benchwarmers.tests.agents.provider import BASES


def test_the_crew_has_one_member_for_each_format_behind_the_busy_one() -> None:
    found = tomllib.loads(set_up("http://127.0.0.1:9", ["gpt-5.5"], BASES))
    assert found["collection"][0]["members"] == ["busy", *BASES]
    assert found["settings"]["max_calls"] == len(found["model"])
    assert {one["name"]: one["api"] for one in found["endpoint"]} == {"busy": "chat", **{api: api for api in BASES}}
    assert found["endpoint"][2]["base"] == "http://127.0.0.1:9/anthropic/v1"
    assert found["alias"] == [{"name": "gpt-5.5", "target": ROUTE}]
