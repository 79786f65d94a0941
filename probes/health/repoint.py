"""Follows a hub that lists a model under another name since its connection got a prefix. Aliases do not change; what
was seen of the old name moves to the new one.
"""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.models import User
from django.db import transaction

from collections_app.actions.language_model import load_model
from collections_app.actions.repoint import do_repoint_model
from collections_app.models import Endpoint, LanguageModel
from collections_app.refusal import Refused
from gateway.canon.fault import UpstreamFault
from probes.health.renamed import renamed_to
from probes.health.store_served import move_served
from probes.health.store_status import end_countdown
from probes.listing import Listed, list_models

Lister = Callable[[Endpoint], list[Listed]]


def do_follow_rename(
    *, actor: User | None, alias: str, lister: Lister = list_models, served: str = ""
) -> LanguageModel:
    """Point the model to the name that its hub lists in its place, or to `served`, which the caller saw listed.

    :raises Refused: the hub cannot be listed, or lists no such name, or more than one.
    """
    model = load_model(alias)
    before = model.served
    new = served or _listed_instead(model, lister)
    with transaction.atomic():
        model = do_repoint_model(actor=actor, alias=model.alias, served=new)
        move_served(model.endpoint, before, new)
        end_countdown(model)
    return model


def _listed_instead(model: LanguageModel, lister: Lister) -> str:
    try:
        names = {one.served for one in lister(model.endpoint)}
    except UpstreamFault as fault:
        raise Refused([("", f"{model.endpoint} cannot be listed: {fault.message}")]) from fault
    if not (found := renamed_to(model.served, names, model.endpoint.hub)):
        raise Refused([("", f"{model.endpoint} lists no other name that {model.served} could be.")])
    return found
