"""docs/reference/fields.md: what the `bench` object has in a request and in a reply, from the code that does it."""

from __future__ import annotations

from collections.abc import Iterator
from types import UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct, UnsetType

from benchwarmers.tests.house.reference.words import code, page, table
from gateway.canon.ask import BenchField
from gateway.canon.kinds import SeatStatus
from gateway.engine.explorers import Skipped
from gateway.engine.panel_fields import Answered, PanelField, SeatField
from gateway.engine.route_field import FailedOver, RouteField
from gateway.engine.route_plan import Passed

_PANEL: Final = (
    "`translation` names what was left out: under `request` for every seat, under a call id for that seat. `reply` is "
    "there for a merged reply and one with choices, `merger` when one was called, `note` when the reply is not the "
    "merger's, `answered` when some seat did not answer, `structured` where an output format was asked for."
)
_ROUTE: Final = "`turn` counts from 1 over the conversation; `translation` names what was left out, under the call id."
TOLD: Final[tuple[tuple[str, type[Struct], str], ...]] = (
    ("A panel's reply", PanelField, _PANEL),
    ("A seat", SeatField, "`error` is empty when there was none; `seconds` has one decimal."),
    ("Seats that answered", Answered, "How many, of how many."),
    ("Who did not sit", Skipped, "A model that was wanted. `seat` is member, with or merger."),
    ("A turn in route mode", RouteField, _ROUTE),
    ("Who failed before", FailedOver, "A member that was asked before; `error` is the end of what it said."),
    ("Who was passed over", Passed, "A member that could not take this turn."),
)
"""What a reply's object is made of, and what is to be said of each."""
_PLAIN: Final = {str: "text", int: "number", float: "number", bool: "true or false"}


_HEADS: Final = ("field", "type", "if not sent or told")
_FIRST: Final = (
    "A request in any of the six formats may carry a `bench` object with what it wants of this one panel; every reply "
    "carries one that tells who answered. Where each format puts it: [the six APIs](../formats.md). Fields marked "
    "*absent* are left out when there is nothing to tell."
)
_SENT: Final = (
    "Unknown fields are ignored. `only` names the models that sit, and no others. `seats` is how many may sit in all, "
    "`explorers` how many of them explore, `timeout_s` the seconds a seat may take, `quorum` how many seats must be "
    "done before the answer is told; the rest is recorded all the same. `background` asks for the panel's id at once. "
    "`on_disconnect` says what becomes of the seats when the caller leaves. `strict` refuses the request rather than "
    "leave anything out. Beside the object stands `with`, a list of aliases that explore if there is room."
)


def write() -> str:
    """The page."""
    return page(
        "Fields of the bench object",
        _FIRST,
        f"## In a request\n\n{_SENT}\n\n{table(_HEADS, rows(BenchField))}",
        *(f"## {title}\n\n{about}\n\n{table(_HEADS, rows(kind))}" for title, kind, about in TOLD),
        f"A seat's `status` is one of {', '.join(code(status.value) for status in SeatStatus)}.",
    )


def rows(kind: type[Struct]) -> Iterator[tuple[str, str, str]]:
    """The fields of a struct, as they are spelt in JSON."""
    hints = get_type_hints(kind, include_extras=True)
    omits = kind.__struct_config__.omit_defaults
    for one in msgspec.structs.fields(kind):
        yield code(one.encode_name), _type(hints[one.name]), _default(one, omits)


def _default(one: msgspec.structs.FieldInfo, omits: bool) -> str:
    if one.required:
        return "always there"
    if omits:
        return "absent"
    value = one.default if one.default is not msgspec.NODEFAULT else ()
    match value:
        case None | msgspec.UNSET | () | "":
            return "as without it"
        case bool():
            return code(str(value).lower())
        case _:
            return code(str(value))


def _type(hint: Any) -> str:
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _type(args[0]) + "".join(_bounds(one) for one in args[1:] if isinstance(one, Meta))
    if origin in (Union, UnionType):
        return " or ".join(_type(arg) for arg in args if arg not in (type(None), UnsetType))
    if origin is Literal:
        return " or ".join(code(str(arg)) for arg in args)
    if origin in (tuple, list):
        return f"list of {_type(args[0])}"
    if origin is dict:
        return f"lists of text by {_type(args[0])}"
    return _PLAIN.get(hint) or ("text" if issubclass(hint, str) else "object")


def _bounds(meta: Meta) -> str:
    if meta.ge is not None and meta.le is not None:
        return f", {meta.ge} to {meta.le}"
    if meta.ge is not None:
        return f", {meta.ge} or more"
    return f", more than {meta.gt}" if meta.gt is not None else ""
