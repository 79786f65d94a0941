"""Who does not fit a collection, by what its tags promise: pure. A misfit is greyed where members are chosen and marked
where it is one already; nobody is kept from choosing it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from django.utils.translation import gettext as _

from gateway.canon.kinds import SHAPE_ROLES, EndpointKind, ModelRole, Shape
from gateway.engine.snapshot import ModelView

LONG_CONTEXT: Final = 128_000
"""Tokens that a member of a `long-context` collection takes at least."""
FREE: Final = "free"
ABILITIES: Final = {"vision": "vision", "tools": "tools", "json": "structured_output"}
"""The fact that a tag of this name promises of every member."""
SUGGESTED: Final = (
    *(shape.value for shape in Shape if shape is not Shape.IMAGE),
    *("second-opinion", "security", "long-context", "fast", FREE, "tools", "json"),
)
"""Tags that are offered, before those in use."""


def why_misfit(model: ModelView, tags: Sequence[str], paid: bool | None) -> str:
    """Why this model does not fit a collection with these tags, or nothing. `paid` is None where nobody knows."""
    if model.role == ModelRole.IMAGE:
        return _("makes images, and no answers")
    for tag in tags:
        if why := _by_tag(tag, model, paid):
            return why
    return ""


def is_hidden(tags: Collection[str], paid: bool | None) -> bool:
    """Whether it is not even offered: what is known to cost money, where everything should be free."""
    return FREE in tags and paid is True


def is_paid(model: ModelView, paid_connections: Collection[str]) -> bool | None:
    """Whether calls of it cost money; None where nobody knows. What somebody said of its connection comes first, then
    its name and place, then its prices."""
    if model.connection in paid_connections:
        return True
    if model.served.endswith(":free") or model.endpoint.kind in (EndpointKind.LOCAL, EndpointKind.PRACTICE):
        return False
    known = [model.prices[axis] for axis in ("input", "output") if axis in model.prices]
    return any(known) if known else None


def _by_tag(tag: str, model: ModelView, paid: bool | None) -> str:
    if tag in ABILITIES:
        return _by_ability(tag, getattr(model, ABILITIES[tag])) or _by_role(tag, model.role)
    if tag == "long-context":
        window = model.context_window
        if window is not None and window < LONG_CONTEXT:
            return _("takes %(window)s tokens, long-context means %(least)s") % {
                "window": f"{window:,}",
                "least": f"{LONG_CONTEXT:,}",
            }
        return ""
    if tag == FREE:
        return _("costs money") if paid else ""
    return _by_role(tag, model.role)


def _by_ability(tag: str, known: bool | None) -> str:
    if known:
        return ""
    words = {"vision": _("see images"), "tools": _("call tools"), "json": _("keep to a schema")}[tag]
    if known is None:
        return _("is not known to %(ability)s") % {"ability": words}
    return _("does not %(ability)s") % {"ability": words}


def _by_role(tag: str, role: str) -> str:
    """A tag that names a shape admits the roles of that shape; `general` means anything."""
    if tag == Shape.GENERAL or tag not in set(Shape):
        return ""
    admitted = SHAPE_ROLES[Shape(tag)]
    if role in admitted:
        return ""
    return _("its role is %(role)s, %(tag)s is for %(roles)s") % {
        "role": role,
        "tag": tag,
        "roles": ", ".join(one.value for one in ModelRole if one in admitted),
    }
