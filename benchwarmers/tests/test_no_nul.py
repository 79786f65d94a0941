"""Addresses with a NUL in them."""

from __future__ import annotations

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/usage/?model=%00", "/changes/?q=a%00b", "/panels/p%00/", "/login/?next=%00"])
def test_a_page_with_a_nul_in_its_address_is_a_bad_request(client: Client, address: str) -> None:
    assert client.get(address).status_code == 400


def test_a_program_is_told_in_its_own_format(client: Client) -> None:
    answer = client.get("/bench/record?collection=bench/core&task=%00")
    assert answer.status_code == 400
    assert "NUL character" in answer.json()["error"]["message"]
    answer = client.get("/api/tags?x=%00")
    assert (answer.status_code, list(answer.json())) == (400, ["error"])


def test_other_addresses_pass(client: Client) -> None:
    assert client.get("/login/?next=/panels/%2500").status_code == 200
