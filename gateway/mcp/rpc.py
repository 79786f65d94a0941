"""JSON-RPC 2.0, as far as the protocol needs it. Pure: bytes to a message, a result to bytes."""

from __future__ import annotations

from typing import Any, Final, TypeGuard

import msgspec
from msgspec import Struct

NOT_JSON: Final = -32700
NOT_A_REQUEST: Final = -32600
NO_SUCH_METHOD: Final = -32601
WRONG_PARAMS: Final = -32602
BROKEN: Final = -32603
NO_SUCH_RESOURCE: Final = -32002

Id = int | float | str | None


class Problem(Exception):
    """What is wrong with a message; `id` is the message's, None where it has none that can be read."""

    def __init__(self, code: int, message: str, at: Id = None, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.id = at
        self.data = data


class Message(Struct, frozen=True):
    """A request, or a notification, to which nobody answers. `method` is empty for an answer of the client's."""

    method: str
    params: dict[str, Any]
    id: Id = None
    wants_answer: bool = False


def is_id(said: Any) -> TypeGuard[int | float | str]:
    """Whether this can be the id of a request."""
    return isinstance(said, int | float | str) and not isinstance(said, bool)


def read_message(body: bytes) -> Message:
    """The message. Raises a Problem; nested too deep is no JSON either."""
    try:
        said = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Problem(NOT_JSON, f"The message is not JSON: {error}") from None
    if not isinstance(said, dict):
        raise Problem(NOT_A_REQUEST, "A message is one JSON object; batches are not taken.")
    at = said.get("id")
    if at is not None and not is_id(at):
        raise Problem(NOT_A_REQUEST, "The id of a request is a string or a number.")
    if "method" not in said and at is not None and ("result" in said or "error" in said):
        return Message("", {}, at)
    method = said.get("method")
    if said.get("jsonrpc") != "2.0" or not isinstance(method, str):
        raise Problem(NOT_A_REQUEST, 'A request has "jsonrpc": "2.0" and the name of a method.', at)
    params = said.get("params", {})
    if not isinstance(params, dict):
        raise Problem(WRONG_PARAMS, "The params of a method are an object.", at)
    return Message(method, params, at, wants_answer="id" in said and at is not None)


def write_result(at: Id, result: dict[str, Any]) -> bytes:
    """The answer to the request with this id."""
    return msgspec.json.encode({"jsonrpc": "2.0", "id": at, "result": result})


def write_problem(problem: Problem) -> bytes:
    """The answer to a request that failed."""
    error: dict[str, Any] = {"code": problem.code, "message": problem.message}
    if problem.data is not None:
        error["data"] = problem.data
    return msgspec.json.encode({"jsonrpc": "2.0", "id": problem.id, "error": error})


def write_notification(method: str, params: dict[str, Any]) -> bytes:
    """A message that nobody answers."""
    return msgspec.json.encode({"jsonrpc": "2.0", "method": method, "params": params})
