"""Names of tools. Callers of this API may put tools into namespaces; the canon and the other APIs have one flat list.

A namespaced tool goes by `<namespace>__<name>` everywhere else, and its own fields say what it is called at home, so
that a call finds its way back. Two names need no prefix: those in the namespace `functions`, which goes without saying,
and the search for further tools, which is a tool like any other to a model.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec
from msgspec import Raw, Struct

from gateway.canon.ask import Tool

FUNCTIONS = "functions"
SEARCH = "tool_search"
NAMESPACE, ADDED, FOUND = "namespace", "additional_tools", "tool_search_output"
"""Keys of a tool's own fields: where it lives, which item of the input offered it, which search found it."""
OURS = frozenset({SEARCH, NAMESPACE, ADDED, FOUND})

_LONGEST = 64
_HASHED = 8


class Home(Struct, frozen=True, omit_defaults=True):
    """A tool's namespace with its description, and the tool's name in it."""

    namespace: str
    name: str
    description: str | None = None


class Place(Struct, frozen=True):
    """An item of the input that offered tools: before which turn it came, and its role."""

    before: int
    role: str


class Known(Struct, frozen=True):
    """A tool as its caller knows it."""

    name: str
    namespace: str = ""
    custom: bool = False
    search: bool = False


class Directory:
    """What the tools of one request are called by their caller."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._known = {tool.name: _known(tool) for tool in tools if tool.kind != "vendor"}

    def find(self, name: str, *, custom: bool = False) -> Known:
        """The tool that goes by the flat `name`; one that nobody offered goes by that name alone."""
        return self._known.get(name) or Known(name, custom=custom)


def flat_name(name: str, namespace: str | None) -> str:
    """What a tool is called where there are no namespaces: at most 64 characters, the same each time. A function that
    a search found comes in a namespace of its own name, which nobody gave it."""
    if not namespace or namespace in (FUNCTIONS, name):
        return name
    joined = f"{namespace}{'' if namespace.endswith('__') else '__'}{name}"
    if len(joined) <= _LONGEST:
        return joined
    return joined[: _LONGEST - _HASHED] + hashlib.sha256(joined.encode()).hexdigest()[:_HASHED]


def home_of(tool: Tool) -> Home | None:
    """The namespace a caller of this API put the tool in."""
    sent = tool.extras.get(NAMESPACE)
    return msgspec.json.decode(sent, type=Home) if sent is not None else None


def place_of(tool: Tool) -> Place | None:
    """The item of the input that offered the tool."""
    sent = tool.extras.get(ADDED)
    return msgspec.json.decode(sent, type=Place) if sent is not None else None


def as_field(value: Home | Place | str) -> Raw:
    """`value` as one of a tool's own fields."""
    return Raw(msgspec.json.encode(value))


def _known(tool: Tool) -> Known:
    home = home_of(tool)
    namespace = home.namespace if home is not None and home.namespace != FUNCTIONS else ""
    name = home.name if home is not None else tool.name
    return Known(name, namespace, tool.kind == "custom", SEARCH in tool.extras)
