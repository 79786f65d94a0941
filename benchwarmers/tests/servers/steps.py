"""What the tests of real hubs have an installation do, as statements for its shell."""

from __future__ import annotations

from typing import Final

HUB: Final = """
from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.secret import do_save_secret
do_save_secret(actor=None, name="hub-admin", plain=admin)
do_save_secret(actor=None, name="hub", plain=key)
do_save_endpoint(actor=None, name="hub", base=base, kind="hub", hub=kind)
told = None
"""
LOOK: Final = """
from collections_app.models import Endpoint
from probes.hubs import known
found = known.overview(Endpoint.objects.get(name="hub"))
told = {"connections": {one.id: [one.name, one.prefix, list(one.models), one.why_not] for one in found.connections}}
told |= {"release": found.release, "notes": list(found.notes), "troubles": list(found.troubles)}
"""
PLAN: Final = """
from collections_app.models import Endpoint
from probes.hubs import known
plan = known.plan(Endpoint.objects.get(name="hub"), connection, model)
told = {"served": plan.served, "steps": plan.steps, "notes": plan.notes, "refusals": plan.refusals}
told |= {"present": plan.present}
"""
ADD: Final = """
from collections_app.models import Endpoint
from probes.hubs.adding import add_and_onboard
from probes.hubs.base import Plan
done = add_and_onboard(
    Endpoint.objects.get(name="hub"), Plan(connection, model), actor=None, now=timezone.now()
)
told = {"served": done.added.served, "tag": done.added.tag, "steps": done.added.steps, "why": done.why}
told |= {"job": done.job.key if done.job else ""}
"""
TAKE_ON: Final = """
from probes.onboarding.items import Item
from probes.onboarding.queue import do_onboard
(job,) = do_onboard(actor=None, items=[Item("hub", served, "quick")], now=timezone.now())
told = job.key
"""
SEAT: Final = """
from collections_app.actions.collection import do_save_collection
from collections_app.models import LanguageModel
model = LanguageModel.objects.get(served=served)
do_save_collection(actor=None, name="behind", members=[model.alias], max_explorers=0)
told = {"alias": model.alias, "tag": model.tag, "status": model.status}
"""
RENAME: Final = """
from collections_app.models import Endpoint, LanguageModel
from probes.hubs.rename import rename_prefix
done = rename_prefix(
    Endpoint.objects.get(name="hub"), connection, prefix, former=former, apply=apply, actor=None
)
told = {"moves": [[one.alias, one.before, one.now] for one in done.moves], "kept": list(done.kept)}
mine = LanguageModel.objects.filter(endpoint__name="hub")
told |= {"served": sorted(mine.values_list("served", flat=True))}
"""
