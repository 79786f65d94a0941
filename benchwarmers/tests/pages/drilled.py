"""Brings one scripted member in as `bench/drill`, with `on`, and sends it home with `off`.

Run as a program with the variables of that installation.
"""

from __future__ import annotations

import os
import sys

NAME = "drill"


def bring_in() -> None:
    """The address of the practice squad as an endpoint of its own, with one character, which calls tools."""
    from collections_app.actions.collection import do_save_collection
    from collections_app.actions.endpoint import do_save_endpoint
    from collections_app.actions.language_model import do_save_model
    from collections_app.actions.practice import practice_base

    do_save_endpoint(actor=None, name=NAME, base=practice_base(), kind="local")
    stated = {"context_window": 32_000, "tools": True}
    do_save_model(actor=None, alias="drill-terse", served="terse", endpoint=NAME, stated=stated)
    do_save_collection(actor=None, name=NAME, members=["drill-terse"])


def send_home() -> None:
    """All of it."""
    from collections_app.actions.collection import do_remove_collection
    from collections_app.actions.endpoint import do_remove_endpoint
    from collections_app.models import Endpoint

    Endpoint.objects.filter(name=NAME).update(default=False)  # where there was no other it became the default
    do_remove_collection(actor=None, name=NAME)
    do_remove_endpoint(actor=None, name=NAME, with_models=True)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.settings")
    import django

    django.setup()
    {"on": bring_in, "off": send_home}[sys.argv[1]]()
