"""The installations that the live tests share: starting one takes longer than most of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchwarmers.tests.live.keyed import Keyed
from benchwarmers.tests.live.product import Product
from benchwarmers.tests.live.upstream import running_provider


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with running_provider() as provider:
        running = Product(tmp_path_factory.mktemp("live"), provider)
        yield running
        running.run.end()


@pytest.fixture(scope="session")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keyed]:
    with running_provider() as provider:
        running = Keyed(tmp_path_factory.mktemp("keyed"), provider)
        yield running
        running.end()
