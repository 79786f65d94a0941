"""Processes that die in the middle of a sign-in or a renewal."""

from __future__ import annotations

import pytest

from collections_app.models import Endpoint
from probes.sign_ins import flow, store
from probes.sign_ins.renew import due, renew, renew_due
from probes.sign_ins.tend import tend
from probes.sign_ins.wire import Reply
from probes.tests.sign_ins.authority import LIFE_S
from probes.tests.sign_ins.world import Town

pytestmark = pytest.mark.django_db


class Died(BaseException):
    """The process is gone, in the middle of what it did."""


def test_what_a_provider_gave_before_the_process_died_is_saved_by_the_next(town: Town) -> None:
    query = town.agree(town.begin("open"))[1]
    desk = town.desk

    def die(*_: object) -> None:
        raise Died

    with pytest.raises(Died):
        flow.come_back(type(desk)(desk.providers, desk.fetch, die, desk.clock), query["state"], query)  # type: ignore[arg-type]
    assert not Endpoint.objects.exists()
    assert town.come_back(query).state == "exchanging"
    tend(town.desk)
    assert not Endpoint.objects.exists()  # it may still live
    town.clock.pass_s(91)
    tend(town.desk)
    session = store.find(query["state"])
    assert session is not None
    assert session.result["endpoint"] == "open"
    assert len(town.us.asked("/token")) == 1


def test_a_sign_in_whose_process_died_in_the_exchange_says_so(town: Town) -> None:
    query = town.agree(town.begin("open"))[1]
    desk = town.desk

    def die(_: object) -> Reply:
        raise Died

    with pytest.raises(Died):
        flow.come_back(type(desk)(desk.providers, die, desk.check, desk.clock), query["state"], query)
    town.clock.pass_s(91)
    tend(town.desk)
    assert town.come_back(query).result == {"errors": [store.LOST]}


def test_a_renewal_whose_process_died_is_tried_by_the_next(town: Town) -> None:
    town.sign_in()
    town.clock.pass_s(LIFE_S)
    desk = town.desk

    def die(_: object) -> Reply:
        raise Died

    (one,) = due(town.clock.now)
    with pytest.raises(Died):
        renew(type(desk)(desk.providers, die, desk.check, desk.clock), one)
    assert due(town.clock.now) == []
    town.clock.pass_s(60)
    assert renew_due(town.desk) == 1
