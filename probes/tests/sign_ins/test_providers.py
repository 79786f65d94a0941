"""The file of providers that an installation may bring."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from probes.sign_ins.providers import SHIPPED, read_providers

ACME = {"id": "acme", "label": "Acme", "flow": "device", "name": "acme", "base": "https://acme.example/v1"}


def test_a_file_adds_providers_and_replaces_what_is_known_of_others(tmp_path: Path) -> None:
    file = tmp_path / "providers.json"
    other = {**ACME, "id": "openrouter", "kind": "aggregator", "api": "responses"}
    file.write_text(json.dumps([ACME, other]))
    found = read_providers(file)
    assert found["acme"].by_code is False
    assert (found["openrouter"].base, found["openrouter"].api) == ("https://acme.example/v1", "responses")
    assert found["github"] is SHIPPED["github"]
    assert read_providers(None) is SHIPPED


@pytest.mark.parametrize(
    ("held", "words"),
    [
        ("nonsense", "malformed"),
        ({"acme": ACME}, "array"),
        ([{**ACME, "flow": "magic"}], "flow"),
        ([{**ACME, "client_secret": "x"}], "client_secret"),
        ([{"id": "acme"}], "required"),
    ],
)
def test_a_file_that_makes_no_sense_stops_the_start_with_what_is_wrong(tmp_path: Path, held: Any, words: str) -> None:
    file = tmp_path / "providers.json"
    file.write_text(held if isinstance(held, str) else json.dumps(held))
    with pytest.raises(ImproperlyConfigured, match=f"BENCHWARMERS_SIGN_IN_PROVIDERS cannot be used: .*{words}"):
        read_providers(file)


def test_a_file_that_is_not_there_is_told() -> None:
    with pytest.raises(ImproperlyConfigured, match="No such file"):
        read_providers(Path("/nowhere/providers.json"))
