"""The installations that the live tests share: starting one takes longer than most of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from benchwarmers.tests.live.keyed import Keyed, plain_in, send
from benchwarmers.tests.live.product import Product
from benchwarmers.tests.live.upstream import running_provider


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with running_provider() as provider:
        running = Product(tmp_path_factory.mktemp("live"), provider, measured=True)
        yield running
        running.run.end()


@pytest.fixture(scope="session")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keyed]:
    with running_provider() as provider:
        running = Keyed(tmp_path_factory.mktemp("keyed"), provider)
        yield running
        running.end()


@pytest.fixture(scope="session")
def leaver(keyed: Keyed) -> str:
    """A key of Ben's that opens every collection."""
    with closing(keyed.sign_in("ben")) as ben:
        return plain_in(send(ben, "/keys/new/", {"name": "leaver", "opens": "all"}))
