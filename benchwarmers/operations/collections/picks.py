"""What the editor shows of models: who is chosen, in order, who could be, and what choosing them means. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchwarmers.operations.collections.misfits import is_hidden, is_paid, why_misfit
from gateway.canon.kinds import ModelRole, ReplyKind
from gateway.engine.explorers import age, explorer_places
from gateway.engine.fitness import Load, unfit_for_panel
from gateway.engine.snapshot import CollectionView, ModelView, Snapshot

SHOWN: Final = 40
"""Models that are offered at once; the search finds the others."""
CAN: Final = ("tools", "vision", "structured_output", "reasoning")


@dataclass(frozen=True, slots=True)
class Pick:
    """A model that is chosen or could be. `model` is None where the alias is nobody's; `misfit` says why it does not
    fit the tags; `notes` are what else bears on its seat."""

    alias: str
    model: ModelView | None
    misfit: str = ""
    paid: bool | None = None
    notes: Sequence[str] = ()

    @property
    def can(self) -> list[str]:
        """What it is known to be able to."""
        return [name for name in CAN if self.model is not None and getattr(self.model, name) is True]


@dataclass(frozen=True, slots=True)
class Pool:
    """Who is offered: the first of `total` that the search finds. `hidden` cost money where everything should be
    free."""

    picks: Sequence[Pick]
    total: int
    hidden: int

    @property
    def more(self) -> int:
        """How many fit the search and are not shown."""
        return self.total - len(self.picks)


def chosen(
    aliases: Sequence[str], tags: Sequence[str], snapshot: Snapshot, paid: Collection[str], now: float
) -> list[Pick]:
    """The members in order. `paid` are the connections that cost money, `now` epoch seconds."""
    return [_pick(alias, tags, snapshot, paid, now) for alias in aliases]


def offered(
    text: str, taken: Collection[str], tags: Sequence[str], snapshot: Snapshot, paid: Collection[str], now: float
) -> Pool:
    """Who else could be a member and has `text` in its alias or served name; misfits last."""
    words = text.strip().lower()
    found = [
        _pick(model.alias, tags, snapshot, paid, now)
        for model in snapshot.models.values()
        if model.alias not in taken
        and not model.retired
        and model.role != ModelRole.DECISION
        and (words in model.alias.lower() or words in model.served.lower())
    ]
    shown = [pick for pick in found if not is_hidden(tags, pick.paid)]
    shown.sort(key=lambda pick: (bool(pick.misfit), pick.alias.casefold()))
    return Pool(shown[:SHOWN], len(shown), len(found) - len(shown))


def warn(collection: CollectionView, snapshot: Snapshot) -> list[str]:
    """What whoever chooses these members should know."""
    members = [snapshot.models[alias] for alias in collection.members if alias in snapshot.models]
    return [
        words
        for words in (
            *_windows(members, collection),
            _toolless(members, collection),
            _ad_hoc(members, collection),
            _alike(members),
            _explorers(collection, snapshot),
        )
        if words
    ]


def _pick(alias: str, tags: Sequence[str], snapshot: Snapshot, paid: Collection[str], now: float) -> Pick:
    model = snapshot.models.get(alias)
    if model is None:
        return Pick(alias, None, _("no model has this alias"))
    costs = is_paid(model, paid)
    return Pick(alias, model, why_misfit(model, tags, costs), costs, _notes(model, snapshot, now))


def _notes(model: ModelView, snapshot: Snapshot, now: float) -> list[str]:
    rest = snapshot.cooling.get(model.alias, 0.0) - now
    unfit = unfit_for_panel(model.alias, snapshot, Load(0, ()))
    notes = [
        unfit,
        _("about to be retired") if model.retiring else "",
        _("rests for another %(time)s") % {"time": age(rest)} if rest > 0 else "",
        _("ad hoc: route mode passes it over") if model.ad_hoc else "",
        _("scripted") if model.scripted else "",
    ]
    return [note for note in notes if note]


def _windows(members: Sequence[ModelView], collection: CollectionView) -> list[str]:
    known = [(model.context_window, model.alias) for model in members if model.context_window is not None]
    unknown = [model.alias for model in members if model.context_window is None]
    told = []
    if known and (least := min(known))[0] < max(known)[0]:
        said = {"alias": least[1], "window": f"{least[0]:,}"}
        told.append(
            _("%(alias)s takes %(window)s tokens at most: longer turns pass it over.") % said
            if collection.reply == ReplyKind.ROUTE
            else _("%(alias)s takes %(window)s tokens at most: longer requests are refused for all.") % said
        )
    if unknown:
        told.append(_("The context window of %(aliases)s is not known.") % {"aliases": ", ".join(unknown)})
    return told


def _toolless(members: Sequence[ModelView], collection: CollectionView) -> str:
    if collection.reply != ReplyKind.ROUTE:
        return ""
    without = [model.alias for model in members if not model.tools]
    if not without:
        return ""
    if len(without) == len(members):
        return _("No member is known to call tools: agents will be refused.")
    return ngettext(
        "%(aliases)s is not known to call tools, so agents' turns pass it over.",
        "%(aliases)s are not known to call tools, so agents' turns pass them over.",
        len(without),
    ) % {"aliases": ", ".join(without)}


def _ad_hoc(members: Sequence[ModelView], collection: CollectionView) -> str:
    ad_hoc = [model.alias for model in members if model.ad_hoc]
    if not ad_hoc or collection.reply != ReplyKind.ROUTE:
        return ""
    return ngettext(
        "Route mode never asks %(aliases)s, which is ad hoc.",
        "Route mode never asks %(aliases)s, which are ad hoc.",
        len(ad_hoc),
    ) % {"aliases": ", ".join(ad_hoc)}


def _alike(members: Sequence[ModelView]) -> str:
    families: dict[str, list[str]] = {}
    for model in members:
        families.setdefault(model.family, []).append(model.alias)
    twice = [" + ".join(aliases) for aliases in families.values() if len(aliases) > 1]
    if not twice:
        return ""
    return _("The same model by two ways is one opinion: %(aliases)s.") % {"aliases": "; ".join(twice)}


def _explorers(collection: CollectionView, snapshot: Snapshot) -> str:
    limit = snapshot.max_explorers if collection.max_explorers is None else collection.max_explorers
    places = explorer_places(len(collection.members), snapshot.max_calls, limit)
    if collection.reply == ReplyKind.ROUTE or not collection.members or places:
        return ""
    if not limit:
        return _("Nobody explores here, so no newcomer can show what it is worth.")
    return ngettext(
        "All %(number)s seat of a panel is taken, so nobody explores.",
        "All %(number)s seats of a panel are taken, so nobody explores.",
        snapshot.max_calls,
    ) % {"number": snapshot.max_calls}
