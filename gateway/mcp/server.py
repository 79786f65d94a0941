"""One message in, one result out: which method does what. Knows no transport."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from jsonschema import Draft202012Validator

from gateway.mcp import words
from gateway.mcp.prompts import PROMPTS, get_prompt
from gateway.mcp.resources import LISTED, TEMPLATES, read_resource
from gateway.mcp.routes import Refusal
from gateway.mcp.rpc import (
    BROKEN,
    NO_SUCH_METHOD,
    WRONG_PARAMS,
    Message,
    Problem,
    write_problem,
    write_result,
)
from gateway.mcp.tools import TOOLS, Desk

VERSIONS: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Of the protocol with a handshake, the newest first."""
WITHOUT_HANDSHAKE: Final = ("2026-07-28",)
"""Of the protocol in which every request says its version, the newest first."""
META_VERSION: Final = "io.modelcontextprotocol/protocolVersion"
META_SERVER: Final = "io.modelcontextprotocol/serverInfo"
OTHER_VERSION: Final = -32022
LASTING: Final = frozenset(
    {"tools/list", "resources/list", "resources/templates/list", "resources/read", "prompts/list"}
)
KEPT: Final = {"ttlMs": 60_000, "cacheScope": "private"}
"""How long a client may keep what it was told, and for whom."""
NAME: Final = "benchwarmers"
log = logging.getLogger(__name__)
_CHECKS: Final = {name: Draft202012Validator(tool.takes) for name, tool in TOOLS.items()}


async def answer(desk: Desk, message: Message, version: str) -> bytes:
    """The answer to a request, whatever happens. `version` is the server's own."""
    try:
        return write_result(message.id, await _do(desk, message, version))
    except Problem as problem:
        problem.id = message.id
        return write_problem(problem)
    except Exception:
        log.exception("a message of the context protocol failed unexpectedly")
        return write_problem(Problem(BROKEN, "The server failed on this message; its log says why.", message.id))


async def _do(desk: Desk, message: Message, version: str) -> dict[str, Any]:
    meta = message.params.get("_meta")
    spoken = meta.get(META_VERSION) if isinstance(meta, dict) else None
    if spoken is not None and spoken not in WITHOUT_HANDSHAKE + VERSIONS:
        supported = {"supported": [*WITHOUT_HANDSHAKE, *VERSIONS], "requested": spoken}
        raise Problem(OTHER_VERSION, f"This server does not speak version {spoken!r} of the protocol.", data=supported)
    if message.method == "initialize":
        return _initialize(message.params, version)
    if message.method == "server/discover":
        return _discover(version)
    method = METHODS.get(message.method)
    if method is None:
        raise Problem(NO_SUCH_METHOD, f"There is no method {message.method!r}.")
    result = await method(desk, message.params)
    if spoken not in WITHOUT_HANDSHAKE:
        return result
    kept = KEPT if message.method in LASTING else {}
    return {**result, "resultType": "complete", **kept}


CAPABILITIES: Final[dict[str, Any]] = {
    "tools": {"listChanged": False},
    "resources": {"listChanged": False, "subscribe": False},
    "prompts": {"listChanged": False},
}


def _about(version: str) -> dict[str, str]:
    return {"name": NAME, "title": "Benchwarmers", "version": version}


def _initialize(params: dict[str, Any], version: str) -> dict[str, Any]:
    asked = params.get("protocolVersion")
    return {
        "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
        "capabilities": CAPABILITIES,
        "serverInfo": _about(version),
        "instructions": words.INSTRUCTIONS,
    }


def _discover(version: str) -> dict[str, Any]:
    return {
        "resultType": "complete",
        **KEPT,
        "supportedVersions": [*WITHOUT_HANDSHAKE, *VERSIONS],
        "capabilities": CAPABILITIES,
        "instructions": words.INSTRUCTIONS,
        "_meta": {META_SERVER: _about(version)},
    }


async def _ping(desk: Desk, params: dict[str, Any]) -> dict[str, Any]:
    return {}


async def _list_tools(desk: Desk, params: dict[str, Any]) -> dict[str, Any]:
    return {"tools": [tool.listed() for tool in TOOLS.values()]}


async def _call_tool(desk: Desk, params: dict[str, Any]) -> dict[str, Any]:
    name = params.get("name")
    tool = TOOLS.get(name) if isinstance(name, str) else None
    if tool is None:
        raise Problem(WRONG_PARAMS, f"There is no tool {name!r}; there are {', '.join(TOOLS)}.")
    said = params.get("arguments")
    said = {} if said is None else said
    wrong = sorted(_CHECKS[tool.name].iter_errors(said), key=lambda error: list(map(str, error.path)))
    if wrong:
        return _failed(f"{tool.name}: {'; '.join(_wrong(error) for error in wrong)}")
    try:
        told = await tool.run(desk, said)
    except Refusal as refusal:
        return _failed(str(refusal))
    content = [{"type": "text", "text": text} for text in told.texts]
    return {"content": content, "structuredContent": told.data, "isError": False}


def _wrong(error: Any) -> str:
    where = ".".join(map(str, error.path))
    return f"{where}: {error.message}" if where else str(error.message)


def _failed(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": True}


async def _list_resources(desk: Desk, params: dict[str, Any]) -> dict[str, Any]:
    return {"resources": LISTED}


async def _list_templates(desk: Desk, params: dict[str, Any]) -> dict[str, Any]:
    return {"resourceTemplates": TEMPLATES}


async def _read_resource(desk: Desk, params: dict[str, Any]) -> dict[str, Any]:
    try:
        return await read_resource(desk, str(params.get("uri") or ""))
    except Refusal as refusal:
        raise Problem(WRONG_PARAMS, str(refusal)) from refusal


async def _list_prompts(desk: Desk, params: dict[str, Any]) -> dict[str, Any]:
    return {"prompts": [listed for listed, _text in PROMPTS.values()]}


async def _get_prompt(desk: Desk, params: dict[str, Any]) -> dict[str, Any]:
    said = params.get("arguments")
    return get_prompt(str(params.get("name") or ""), said if isinstance(said, dict) else {})


METHODS: Final[dict[str, Callable[[Desk, dict[str, Any]], Awaitable[dict[str, Any]]]]] = {
    "ping": _ping,
    "tools/list": _list_tools,
    "tools/call": _call_tool,
    "resources/list": _list_resources,
    "resources/templates/list": _list_templates,
    "resources/read": _read_resource,
    "prompts/list": _list_prompts,
    "prompts/get": _get_prompt,
}
