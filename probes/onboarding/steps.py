"""The steps of taking a model on, besides its questions: is it served, its row, what is known of it, the suite."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from django.db import IntegrityError

from collections_app.actions.language_model import (
    connection_of,
    do_save_model,
    do_set_ad_hoc,
    do_set_role,
    names_in_use,
)
from collections_app.journal import journal
from collections_app.models import Endpoint, LanguageModel
from collections_app.refusal import Refused
from gateway.canon.fault import Unreachable
from gateway.canon.kinds import SHAPE_ROLES, JobState, ModelRole
from probes.catalog.describe import describe_model
from probes.listing_forms import Listed
from probes.onboarding import decision
from probes.onboarding.alias import alias_for, near_matches
from probes.onboarding.images import makes_images
from probes.onboarding.items import Mode, why_not
from probes.onboarding.listings import Lister, load_listing
from probes.onboarding.store import TOPIC, note_onboarded
from probes.onboarding.suite_hook import run_suite
from probes.onboarding.taking import Found, GivenUp, Taking, ends

TRIES: Final = 5
"""How often an alias is derived anew when somebody else takes it at the same moment."""
_KEPT: Final = ("inputs", "outputs", "context_window", "tools", "structured_output", "reasoning")


def serve(taking: Taking, lister: Lister | None = None) -> Found:
    """Is it listed? A decision model is taken on here and now."""
    listed = _listed(taking, lister)
    taking.at_work.say(f"{taking.endpoint.name} lists it")
    if decision.decides(taking, listed):
        taking.at_work.say("it answers typed questions and does not chat")
        return decision.take_on(taking, listed)
    known: dict[str, Any] = {field: value for field in _KEPT if (value := getattr(listed, field)) not in (None, ())}
    return {**known, "connection": listed.connection, "upstream_id": listed.upstream_id}


def register(taking: Taking) -> Found:
    """Its row, with an alias that nobody has or had. One that is there already is taken as it is."""
    item, actor = taking.item, taking.at_work.job.actor
    row = _live(taking)
    if row is None:
        if why := why_not(taking.endpoint, item.served):
            raise GivenUp(why)
        row = _register(taking)
    elif item.mode == Mode.AD_HOC and not row.ad_hoc:
        row = do_set_ad_hoc(actor=actor, alias=row.alias, ad_hoc=True)
    taking.at_work.say(f"registered as {row.alias}{', called only by name' if row.ad_hoc else ''}")
    return {"id": row.pk, "alias": row.alias}


def describe(taking: Taking) -> Found:
    """What the catalog knows of it; a catalog that is away is only noted. A model that makes pictures is done."""
    model, at_work = taking.registered, taking.at_work
    at_work.say(describe_model(model, partial(_at_hand, taking), at_work.clock))
    listed = at_work.found("served") or {}
    model.refresh_from_db()  # the catalog may have found its connection
    connection = connection_of(model.tag, taking.endpoint) or "unknown"
    at_work.say(f"its connection is {connection}")
    outputs = tuple(listed.get("outputs", ()))
    if model.role in (ModelRole.GENERAL, ModelRole.IMAGE) and makes_images(outputs, model.served):
        if model.role != ModelRole.IMAGE:
            do_set_role(actor=at_work.job.actor, alias=model.alias, role=ModelRole.IMAGE.value)
        note = f"{model.alias} makes pictures: it has the role image and was asked nothing"
        return ends(JobState.DONE, note, connection=connection)
    return {"connection": connection}


def try_suite(taking: Taking) -> Found:
    """The suite's tasks, in full mode alone."""
    model, at_work = taking.registered, taking.at_work
    match taking.item.mode:
        case Mode.FULL:
            said = run_suite(at_work, model)
        case Mode.QUICK:
            said = "not asked now; scheduled passes ask it a few tasks at a time"
        case _:
            said = "not asked: it is called only by name"
    at_work.say(said)
    at_work.say(_seats(model))
    return {"suite": said}


def _listed(taking: Taking, lister: Lister | None) -> Listed:
    """Its entry; a kept listing without it is asked for anew. Raises GivenUp."""
    endpoint, served = taking.endpoint, taking.item.served
    for fresh in (False, True):
        listing = load_listing(endpoint, taking.now, fresh=fresh, lister=lister)
        if (found := listing.find(served)) is not None:
            return found
    if listing.error:
        raise GivenUp(f"{endpoint.name} could not be asked what it serves: {listing.error}")
    near = near_matches(served, [one.served for one in listing.models])
    like = f"; it lists {', '.join(near)}" if near else ""
    raise GivenUp(f"{endpoint.name} does not list {served}{like}")


def _live(taking: Taking) -> LanguageModel | None:
    rows = LanguageModel.objects.select_related("endpoint")
    return rows.filter(endpoint=taking.endpoint, served=taking.item.served, retired_at__isnull=True).first()


def _register(taking: Taking) -> LanguageModel:
    """The new row and its line in the change log. Raises GivenUp when it is refused."""
    item, found, actor = taking.item, taking.at_work.found("served"), taking.at_work.job.actor
    connection = connection_of(found["connection"], taking.endpoint)
    refusal = ""
    for _ in range(TRIES):
        alias = item.alias or alias_for(item.served, found["upstream_id"], taken=names_in_use(), connection=connection)
        try:
            with journal(actor, TOPIC):
                row = do_save_model(
                    actor=actor,
                    served=item.served,
                    endpoint=taking.endpoint.name,
                    alias=alias,
                    ad_hoc=item.mode == Mode.AD_HOC,
                    tag=found["connection"],
                    new=True,
                )
                note_onboarded(actor, row, item.mode)
            return row
        except IntegrityError as taken:
            refusal = f"its alias {alias} was taken at the same moment ({type(taken).__name__})"
        except Refused as refused:
            refusal = str(refused)
        if (row_now := _live(taking)) is not None:
            return row_now  # somebody else has registered it a moment ago
    raise GivenUp(refusal)


def _at_hand(taking: Taking, endpoint: Endpoint) -> list[Listed]:
    """What the endpoint lists, as it was told a moment ago. Raises Unreachable."""
    listing = load_listing(endpoint, taking.now)
    if listing.error:
        raise Unreachable(listing.error)
    return list(listing.models)


def _seats(model: LanguageModel) -> str:
    """Where it may explore."""
    if model.ad_hoc:
        return "it takes no explorer seat; name it, or put it into a collection"
    shapes = [shape.value for shape, roles in SHAPE_ROLES.items() if model.role in roles]
    return f"it may explore in work of the shapes {', '.join(shapes)}" if shapes else "it takes no explorer seat"
