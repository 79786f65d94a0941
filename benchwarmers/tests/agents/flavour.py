"""How an agent program is set up, as data. `$name` in any of it is filled in when it runs; see `Filling`."""

from __future__ import annotations

from collections.abc import Mapping
from string import Template

from msgspec import Struct, structs

ROUTE = "bench/crew:route"


class Program(Struct, frozen=True):
    """An agent program as its registry has it. `version` is the one that these set-ups were tried with."""

    client: str
    package: str
    version: str
    binary: str
    python: bool = False
    """Comes from PyPI into an environment of its own; otherwise from npm."""
    least_node: int = 20


class Flavour(Struct, frozen=True):
    """One way to point a program at a gateway.

    `first` is a command to run before; `files` are configuration files by their path below the home folder. `model` is
    what the program is told to ask for: a name of its own where that changes what it does.
    """

    program: Program
    name: str
    command: tuple[str, ...]
    env: Mapping[str, str] = {}
    files: Mapping[str, str] = {}
    first: tuple[str, ...] = ()
    model: str = ROUTE

    @property
    def label(self) -> str:
        """As it is named on the command line and in the table."""
        return f"{self.program.client}/{self.name}"


class Filling(Struct, frozen=True):
    """What the placeholders become. `base` is the gateway's address without a path; `program` the binary to start."""

    program: str
    base: str
    key: str
    model: str
    home: str
    prompt: str


def filled(flavour: Flavour, filling: Filling) -> Flavour:
    """The flavour without placeholders. Raises KeyError for one that nobody knows."""
    names = structs.asdict(filling)

    def fill(text: str) -> str:
        return Template(text).substitute(names)

    return structs.replace(
        flavour,
        command=tuple(map(fill, flavour.command)),
        first=tuple(map(fill, flavour.first)),
        env={name: fill(text) for name, text in flavour.env.items()},
        files={path: fill(text) for path, text in flavour.files.items()},
        model=filling.model,
    )
