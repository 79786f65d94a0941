"""A server that asks for keys, its people, and a program that asks ben."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client, override_settings

from benchwarmers.env_programs import ProgramSignIn
from benchwarmers.tests.oauth.program import Program
from benchwarmers.tests.pages.seed import make_people

Rules = Callable[..., None]


@pytest.fixture(autouse=True)
def people(db: None) -> None:
    """maya (curator), ben (caller), zoe (viewer) and boss (superuser); nothing counted yet."""
    cache.clear()
    make_people()


@pytest.fixture(autouse=True)
def rules() -> Iterator[Rules]:
    """Says how programs are signed in here."""
    before = settings.BENCH

    def say(*, require_keys: bool = True, public_url: str | None = None, **fields: object) -> None:
        programs = ProgramSignIn(**fields)  # type: ignore[arg-type]
        sign_in = replace(before.sign_in, programs=programs)
        settings.BENCH = replace(before, require_keys=require_keys, public_url=public_url, sign_in=sign_in)

    with override_settings(BENCH=before):
        say()
        yield say


@pytest.fixture
def program() -> Program:
    return Program(browser_of("ben"))


def browser_of(name: str) -> Client:
    """Somebody who is signed in."""
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client
