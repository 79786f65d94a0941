"""The conditional steps of sign-ins on Postgres; on SQLite they are tried beside their code."""

from __future__ import annotations

import pytest
from django.db import transaction

from collections_app.actions.person import do_save_person
from collections_app.stamp import use_stamp
from gateway.tests.engine.test_batch import on_a_server, postgres
from probes.sign_ins import flow, store
from probes.sign_ins.renew import renew_due
from probes.tests.sign_ins.authority import LIFE_S, running_authority
from probes.tests.sign_ins.world import AWAY, Town

__all__ = ["on_a_server", "postgres"]


@pytest.mark.xdist_group("postgres")
def test_on_postgres(on_a_server: None) -> None:
    put_back = use_stamp(lambda: False)
    with running_authority() as us, transaction.atomic():
        town = Town(us, do_save_person(actor=None, username="cora", groups=["curator"]))
        query = town.agree(town.begin("open"))[1]
        assert town.come_back(query).state == "done"
        assert town.come_back(query).state == "done"
        town.clock.pass_s(LIFE_S)
        assert renew_due(town.desk) == 1
        assert renew_due(town.desk) == 0
        assert town.sign_in(again="open").name == "open"
        session = town.begin("coded", AWAY)
        town.clock.pass_s(1)
        flow.poll(town.desk, session)
        us.answer_device(session.user_code, "granted")
        town.clock.pass_s(1)
        assert [one.pk for one in store.to_poll(town.clock.now)] == [session.pk]
        flow.poll(town.desk, session)
        assert session.state == "done"
        transaction.set_rollback(True)
    put_back()
