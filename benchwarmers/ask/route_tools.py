"""The two tools that the route chat offers: they list and read a small made-up folder, which is nowhere on a disk. So
an agent's way with tools can be tried, and nothing a model asks for does anything."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

FOLDER: Final = {
    "README.md": (
        "# Fixtures\n\nPlans the matches of a small league. `rota.py` pairs the teams, `kit.py` finds a colour that\n"
        "does not clash. Run the tests with `pytest`.\n"
    ),
    "src/rota.py": (
        '"""Pairs the teams of a league so that each meets each once."""\n\n\n'
        "def rounds(teams: list[str]) -> list[list[tuple[str, str]]]:\n"
        '    """The circle method: the first team stays, the others move on by one."""\n'
        "    circle = list(teams)\n"
        "    planned = []\n"
        "    for _ in range(len(circle) - 1):\n"
        "        half = len(circle) // 2\n"
        "        planned.append(list(zip(circle[:half], reversed(circle[half:]))))\n"
        "        circle = [circle[0], circle[-1], *circle[1:-1]]\n"
        "    return planned\n"
    ),
    "src/kit.py": (
        '"""Which shirt the guests wear."""\n\nHOME = {"reds": "red", "greens": "green", "owls": "white"}\n'
        'AWAY = {"reds": "white", "greens": "yellow", "owls": "black"}\n\n\n'
        "def guest_colour(host: str, guest: str) -> str:\n"
        "    return AWAY[guest] if HOME[host] == HOME[guest] else HOME[guest]\n"
    ),
    "tests/test_rota.py": (
        "from src.rota import rounds\n\n\n"
        "def test_four_teams_meet_in_three_rounds():\n"
        '    assert len(rounds(["a", "b", "c", "d"])) == 3\n\n\n'
        "def test_with_five_teams_one_rests_in_each_round():\n"
        '    assert len(rounds(["a", "b", "c", "d", "e"])) == 5  # fails: nobody rests yet\n'
    ),
    "notes/league.md": "Five teams from spring on. The owls want new shirts; white clashes with the reds' away kit.\n",
}
"""By path."""


def _tool(name: str, description: str, **properties: dict[str, str]) -> dict[str, Any]:
    needed = [one for one in properties if one == "path"]
    shape = {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": shape}}


TOOLS: Final = [
    _tool(
        "list_files",
        "List the files of the project, one path a line.",
        folder={"type": "string", "description": "Only below this folder, such as src. Leave out for all."},
    ),
    _tool(
        "read_file",
        "Read one text file of the project.",
        path={"type": "string", "description": "The path as list_files gives it."},
    ),
]
"""As chat completions name them."""


class _Arguments(Struct):
    folder: str = ""
    path: str = ""


class Ran(Struct, frozen=True):
    """What a tool gave back; `error` when it could not."""

    text: str
    error: bool = False


def run_tool(name: str, arguments: str) -> Ran:
    """The scripted answer to a call. Whatever is wrong with it is told as a tool would tell it."""
    try:
        wanted = msgspec.json.decode(arguments.strip() or "{}", type=_Arguments)
    except msgspec.MsgspecError as error:
        return Ran(f"The arguments do not fit: {error}", error=True)
    match name:
        case "list_files":
            return _list(wanted.folder)
        case "read_file":
            text = FOLDER.get(wanted.path.removeprefix("./"))
            return Ran(text) if text is not None else Ran(f"There is no file {wanted.path!r}.", error=True)
        case _:
            return Ran(f"There is no tool {name!r}. There are list_files and read_file.", error=True)


def _list(folder: str) -> Ran:
    below = folder.strip("./")
    found = [path for path in FOLDER if not below or path.startswith(f"{below}/")]
    return Ran("\n".join(found)) if found else Ran(f"There is no folder {folder!r}.", error=True)
