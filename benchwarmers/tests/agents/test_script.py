"""The scripted member against the tools that agents bring, as short as their schemas can be told."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from msgspec import Raw

from benchwarmers.tests.agents.script import DONE, plain, respond
from benchwarmers.tests.agents.task import Task
from gateway.canon.ask import Ask, Text, Tool, ToolCall, ToolResult, Turn

TASK = Task("/project/notes.txt")
USER = Turn("user", (Text(TASK.prompt),))
NUMBER = {"type": ["integer", "null"]}


def tool(name: str, required: dict[str, Any], **others: Any) -> Tool:
    schema = {"type": "object", "properties": required | others, "required": list(required)}
    return Tool(name, parameters=Raw(json.dumps(schema).encode()))


def text(*names: str) -> dict[str, Any]:
    return {name: {"type": "string"} for name in names}


def ask(tools: tuple[Tool, ...], *results: str) -> Ask:
    turns = [USER]
    for number, result in enumerate(results):
        turns.append(Turn("assistant", (ToolCall(f"c{number}", "any", "{}"),)))
        turns.append(Turn("tool", (ToolResult(f"c{number}", (Text(result),)),)))
    return Ask("any", "m", tuple(turns), tools=tools)


CLAUDE = (
    tool("Bash", text("command")),
    tool("Edit", text("file_path", "old_string", "new_string"), replace_all={"type": "boolean"}),
    tool("Read", text("file_path"), limit=NUMBER),
)
CODEX = (tool("exec_command", text("cmd")), tool("write_stdin", text("session_id")))
PATCHING = (*CODEX, Tool("apply_patch", kind="custom"))
SCRIPTED = (Tool("functions__exec", kind="custom"), tool("functions__wait", text("cell_id")))
LIFTED = (tool("functions__exec", text("input")),)
GEMINI = (
    tool("read_file", {"file_path": {"type": "STRING"}}, start_line=NUMBER),
    tool("replace", text("file_path", "instruction", "old_string", "new_string")),
)
CLINE = (
    tool(
        "read_files",
        {"files": {"type": "array", "items": {"type": "object", "properties": text("path"), "required": ["path"]}}},
    ),
    tool(
        "editor",
        text("path", "new_text"),
        old_text={"anyOf": [{"type": "string"}, {"type": "null"}]},
        insert_line=NUMBER,
    ),
)


@pytest.mark.parametrize(
    ("tools", "reads", "edits"),
    [
        (CLAUDE, "Read", "Edit"),
        (CODEX, "exec_command", "exec_command"),
        (PATCHING, "exec_command", "apply_patch"),
        (SCRIPTED, "functions__exec", "functions__exec"),
        (LIFTED, "functions__exec", "functions__exec"),
        (GEMINI, "read_file", "replace"),
        (CLINE, "read_files", "editor"),
    ],
)
def test_the_file_is_read_then_edited_then_done(tools: tuple[Tool, ...], reads: str, edits: str) -> None:
    first, second = respond(ask(tools)), respond(ask(tools, "first line\nsecond line\n"))
    for turn, name in ((first, reads), (second, edits)):
        assert turn.tool is not None
        assert turn.tool.name == name
        assert TASK.path in turn.arguments
        if turn.tool.parameters is not None and "STRING" not in bytes(turn.tool.parameters).decode():
            jsonschema.validate(json.loads(turn.arguments), json.loads(bytes(turn.tool.parameters)))
    assert TASK.line not in first.arguments
    assert TASK.line in second.arguments
    assert respond(ask(tools, "first line\nsecond line\n", "ok")).text == DONE


def test_what_is_replaced_is_named_even_where_it_is_optional() -> None:
    edit = json.loads(respond(ask(CLINE, "second line")).arguments)
    assert edit == {"path": TASK.path, "new_text": f"second line\n{TASK.line}", "old_text": "second line"}


def test_nothing_is_edited_before_the_file_was_seen() -> None:
    turn = respond(ask(CLAUDE, "Error: no such file"))
    assert turn.tool is None
    assert "no such file" in turn.text


def test_an_agent_without_tools_gets_blocks_where_it_reads_them_and_words_elsewhere() -> None:
    coder = Ask("any", "m", (Turn("system", (Text("Use SEARCH/REPLACE blocks."),)), USER))
    assert f"=======\nsecond line\n{TASK.line}\n>>>>>>>" in respond(coder).text
    assert "=======" not in respond(ask(())).text


def test_tools_that_cannot_do_it_are_named() -> None:
    assert "todowrite" in respond(ask((tool("TodoWrite", text("todos")),))).text


@pytest.mark.parametrize("name", ["exec_command", "functions__exec_command", "functions.exec_command", "ExecCommand"])
def test_a_tool_is_known_by_its_plain_name(name: str) -> None:
    assert plain(name) == "execcommand"
