"""An authority, the file of providers that lead to it, and browsers of people on this machine and elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client, override_settings

from collections_app.actions.person import do_save_person
from collections_app.stamp import use_stamp
from probes.tests.sign_ins.authority import Authority, running_authority
from probes.tests.sign_ins.world import table

HERE = "127.0.0.1:8122"


@pytest.fixture
def us(tmp_path: Path) -> Iterator[Authority]:
    """All providers of this installation's own file lead to it."""
    put_back = use_stamp(lambda: False)
    with running_authority() as authority:
        file = tmp_path / "providers.json"
        file.write_bytes(msgspec.json.encode(list(table(authority).values())))
        with override_settings(BENCH=replace(settings.BENCH, sign_in_providers=file)):
            yield authority
    put_back()


@pytest.fixture
def cora(db: None) -> User:
    return do_save_person(actor=None, username="cora", groups=["curator"])


@pytest.fixture
def browser(cora: User) -> Client:
    """Cora's, on the machine that the server runs on."""
    client = Client(headers={"host": HERE})
    client.force_login(cora)
    return client
