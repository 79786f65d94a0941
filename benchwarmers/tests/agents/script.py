"""What the scripted member does with an agent's tools: it reads the file, adds the line once it has seen the file, and
says so. Pure; works on the canon, so that it plays the same part in every format.

Agents name their tools as they like, and a gateway may put a namespace in front; tools are known by their plain names
and their arguments are filled from their schemas.
"""

from __future__ import annotations

import json
import re
import shlex

from msgspec import Struct

from benchwarmers.tests.agents.arguments import Words, fill
from benchwarmers.tests.agents.task import LAST, NOTES, Task, find_task
from gateway.canon.ask import Ask, Text, Tool, ToolResult

READERS = ("read", "readfile", "readfiles", "view")
EDITORS = ("applypatch", "edit", "replace", "editor")
SHELLS = ("exec", "execcommand", "bash", "shell", "runcommands", "runshellcommand")
DONE = "I read the file and appended the line."


class Turn(Struct, frozen=True):
    """What the member says and, if any, the tool it calls. `arguments` is free text for a custom tool, else JSON."""

    text: str
    tool: Tool | None = None
    arguments: str = ""


def respond(ask: Ask) -> Turn:
    """The member's next turn."""
    words = "\n".join(turn.text for turn in ask.turns)
    task = find_task(words)
    if task is None:
        return Turn("There is nothing to do.")
    if not ask.tools:
        return Turn(_as_blocks(task) if "SEARCH/REPLACE" in words else "Appending a line")
    results = [part for turn in ask.turns for part in turn.parts if isinstance(part, ToolResult)]
    if not results:
        return _call("I look at the file first.", ask, (*READERS, *SHELLS), f"cat {shlex.quote(task.path)}", task)
    if len(results) > 1:
        return Turn(DONE)
    seen = "\n".join(part.text for part in results[0].parts if isinstance(part, Text))
    if LAST not in seen:
        return Turn(f"The file did not come back from the tool; this did: {seen[:500]!r}")
    append = f"echo {shlex.quote(task.line)} >> {shlex.quote(task.path)}"
    return _call("Now I append the line.", ask, (*EDITORS, *SHELLS), append, task)


def plain(name: str) -> str:
    """A tool's name without its namespace, case and punctuation: `functions__exec_command` is `execcommand`."""
    return re.sub(r"[^a-z0-9]", "", re.split(r"__|[.:/]", name)[-1].lower())


def _call(text: str, ask: Ask, wanted: tuple[str, ...], command: str, task: Task) -> Turn:
    by_name = {plain(tool.name): tool for tool in reversed(ask.tools) if tool.kind != "vendor"}
    name = next((name for name in wanted if name in by_name), None)
    if name is None:
        return Turn(f"None of these tools will do: {', '.join(by_name)}.")
    tool = by_name[name]
    free = _as_script(command) if name == "exec" else _as_patch(task)
    if tool.kind == "custom":
        return Turn(text, tool, free)
    return Turn(text, tool, json.dumps(fill(tool.parameters, Words(task.path, command, LAST, task.line, free))))


def _as_script(command: str) -> str:
    return f"const done = await tools.exec_command({{cmd: {json.dumps(command)}}});\ntext(JSON.stringify(done));"


def _as_patch(task: Task) -> str:
    return f"*** Begin Patch\n*** Update File: {task.path}\n@@\n {LAST}\n+{task.line}\n*** End Patch\n"


def _as_blocks(task: Task) -> str:
    return f"{NOTES}\n```\n<<<<<<< SEARCH\n{LAST}\n=======\n{LAST}\n{task.line}\n>>>>>>> REPLACE\n```\n"
