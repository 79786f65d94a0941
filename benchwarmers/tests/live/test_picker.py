"""A running installation asks the practice squad's decision model, and a chat model, for the shape of a request."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchwarmers.tests.live.product import Product
from benchwarmers.tests.up.running import free_port


def picker(name: str) -> str:
    return f'[settings]\npicker = "{name}"\n'


def set_up(port: int, dead: int) -> str:
    return f"""
[[endpoint]]
name = "squad-decisions"
base = "http://127.0.0.1:{port}/practice/v1"
kind = "local"
decisions_url = "http://127.0.0.1:{port}/practice/{{path}}"

[[decision_model]]
alias = "sorter"
served = "sorter"
via = "squad-decisions"
path = "systemone"

[[endpoint]]
name = "nobody"
base = "http://127.0.0.1:{dead}/v1"
kind = "local"
decisions_url = "http://127.0.0.1:{dead}/{{path}}"

[[decision_model]]
alias = "away"
served = "away"
via = "nobody"
ad_hoc = true

[[collection]]
name = "shapeless"
members = ["quick"]
max_explorers = 1
"""


@pytest.fixture
def apply(product: Product, tmp_path: Path) -> Iterator[Any]:
    """Applies a text, and leaves nobody to pick."""
    file = tmp_path / "picker.toml"

    def apply(text: str) -> None:
        file.write_text(text)
        product.manage("apply", str(file))

    apply(picker("") + set_up(product.port, free_port()))
    yield apply
    apply(picker("off"))


def told(product: Product, prompt: str, collection: str = "shapeless") -> tuple[str, str]:
    """(shape, shape_by) of a panel."""
    bench = product.ask(collection, prompt)["bench"]
    return bench["shape"], bench["shape_by"]


def test_the_shape_is_told_by_whom_the_settings_name(product: Product, apply: Any) -> None:
    assert told(product, "Review this plan for risks and mistakes.") == ("review", "sorter, 0.70")
    assert told(product, "Hm.") == ("general", "sorter unsure (general at 0.14)")
    assert told(product, "Review this plan.", "fast") == ("general", "set on the collection")
    apply(picker("away"))
    began = time.monotonic()
    shape, shape_by = told(product, "Review this plan for risks and mistakes.")
    assert (shape, time.monotonic() - began < 5) == ("general", True)
    assert shape_by.startswith("away failed (no connection to 127.0.0.1")
    apply(picker("chat-terse"))
    shape, shape_by = told(product, "Write a function.")
    assert shape_by.startswith("chat-terse")
    apply(picker("off"))
    assert told(product, "Write a function.") == ("general", "the shape picker is off")
