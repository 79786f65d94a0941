"""What a provider says of its limits is kept, and kept to: a call that would meet a spent one waits, or is not sent."""

from __future__ import annotations

import json
import time

import pytest

from benchwarmers.tests.live.product import SPENT, Product

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
ROWS = (
    "import json; from gateway.models import Quota; "
    "print(json.dumps([[row.alias, row.metric, row.window, row.limit, row.remaining, row.source] "
    "for row in Quota.objects.filter(alias__startswith='spent').order_by('alias')]))"
)


def test_a_spent_limit_is_a_row_and_the_next_call_waits_for_it_or_is_not_sent(product: Product) -> None:
    began = time.monotonic()
    for name in SPENT:
        (seat,) = product.ask(name)["bench"]["seats"]
        assert (seat["status"], seat["answer"]) == ("ok", "well")

    (seat,) = product.ask("spent")["bench"]["seats"]
    assert (seat["status"], seat["answer"]) == ("ok", "well")
    assert time.monotonic() - began >= 3.0

    (seat,) = product.ask("spent-long")["bench"]["seats"]
    assert seat["status"] == "error"
    assert "not sent" in seat["error"]
    assert "try again in" in seat["error"]
    assert [len(product.provider.asked[served]) for served in SPENT.values()] == [2, 1]

    source = "x-ratelimit-limit-requests-minute"
    rows = json.loads(product.manage("shell", "--no-imports", "-c", ROWS).splitlines()[-1])
    assert rows == [[name, "requests", "minute", 7, 0, source] for name in sorted(SPENT)]
