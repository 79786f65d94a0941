"""What a new installation needs before anyone can use it: the first person, something that answers, and the suite's
tasks.

Safe to run at every start. Returns what to tell the operator; prints nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.utils import timezone

from benchwarmers.env import Environment
from benchwarmers.signin_link import make_signin_path
from suite.starter_pack import take_starter_pack

OWNER = "owner"
CURL = """\
  curl {address}/v1/chat/completions -H 'Content-Type: application/json' \\
    -d '{{"model": "bench/practice", "messages": [{{"role": "user", "content": "Hello, bench"}}]}}'"""
WELCOME = """
  Benchwarmers is at {address}

  Sign in as {username}; the link works once, for seven days:
  {address}{path}

  Ask it something:
{curl}{key_note}

"""
KEY_NOTE = """
  Calls need a gateway key here: make one on the keys page and add  -H 'Authorization: Bearer bwk_...'"""


def do_first_start(bench: Environment) -> str:
    """Make the owner when there is nobody; returns the welcome until the owner has signed in once, then nothing."""
    with transaction.atomic():
        is_new = not get_user_model().objects.exists()
        if is_new:
            make_owner()
        if (practice := load_practice("do_practice_on" if is_new else "do_refresh_practice")) is not None:
            practice(actor=None)
    take_starter_pack(timezone.now())
    owner = get_user_model().objects.filter(username=OWNER, last_login=None, is_active=True).first()
    if owner is None or owner.has_usable_password():
        return ""
    return WELCOME.format(
        address=bench.address,
        username=owner.get_username(),
        path=make_signin_path(owner),
        curl=CURL.format(address=bench.address),
        key_note=KEY_NOTE if bench.require_keys else "",
    )


def make_owner() -> User:
    """The first person: may do everything, has no password, comes in by link."""
    owner = get_user_model().objects.create_superuser(OWNER)
    owner.groups.add(*Group.objects.filter(name="admin"))
    return owner


def load_practice(name: str) -> Callable[..., object] | None:
    """An action on the practice squad: the one that brings it in, or the one that states its facts anew. None where the
    catalogue brings no squad."""
    if find_spec("collections_app.actions.practice") is None:
        return None
    action: Callable[..., object] = getattr(import_module("collections_app.actions.practice"), name)
    return action
