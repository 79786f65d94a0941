"""A Responses request to an Ask.

A field with a meaning for the gateway is read; every other field travels in `extras` as it was sent, those inside
`text` and `reasoning` under their path (`text.verbosity`). The model may be missing here: who answers for that has the
list of collections at hand. Nothing is kept between requests, so whatever refers to an earlier one is refused.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw

from gateway.canon.ask import Ask, Knobs, Text, Tool, Turn
from gateway.canon.fault import BadRequest
from gateway.wire.body import OWN_FIELDS, given, read_bench, read_body, read_fields, read_nominated
from gateway.wire.openai_responses.items import Conversation
from gateway.wire.openai_responses.names import FOUND, home_of
from gateway.wire.openai_responses.shape import Fields, Request
from gateway.wire.openai_responses.tools import read_choice, read_format, read_tools

NAME = "openai_responses"

_READ = frozenset(field.encode_name for field in msgspec.structs.fields(Request)) | OWN_FIELDS


def read_ask(body: bytes) -> Ask:
    """The request in `body`; `BadRequest` says what is wrong with it and what is right."""
    request = read_body(body, Request)
    if not request.input:
        raise BadRequest("`input` must be text or a list with at least one item, such as a message.")
    return _read(body, request)


def read_count(body: bytes) -> Ask:
    """The request of which only the tokens are to be counted: the same, and `input` may be missing."""
    return _read(body, read_body(body, Request))


def _read(body: bytes, request: Request) -> Ask:
    fields = read_fields(body)
    _refuse_kept(request)
    extras = {name: raw for name, raw in fields.items() if name not in _READ and given(raw) is not None}
    turns, brought = _read_input(request)
    tools = _offer(
        [tool for at, raw in enumerate(request.tools or ()) for tool in read_tools(raw, f"tools[{at}]", {})], brought
    )
    choice, in_full = read_choice(request.tool_choice, request.parallel_tool_calls, tools)
    if not in_full:
        extras["tool_choice"] = fields["tool_choice"]
    if request.store:
        extras["store"] = fields["store"]
    text, reasoning = dict(request.text or {}), dict(request.reasoning or {})
    output = read_format(text.pop("format", None))
    effort = given(reasoning.pop("effort", None))
    extras |= _under("text", text) | _under("reasoning", reasoning)
    return Ask(
        protocol=NAME,
        model=request.model or "",
        turns=turns,
        stream=bool(request.stream),
        include_usage=True,
        tools=tools,
        tool_choice=choice,
        output=output,
        knobs=Knobs(
            max_tokens=request.max_output_tokens,
            temperature=request.temperature,
            top_p=request.top_p,
            reasoning_effort=read_body(effort, str, "reasoning.effort") if effort is not None else "",
        ),
        nominated=read_nominated(fields),
        bench=read_bench(fields),
        extras=extras,
    )


def _refuse_kept(request: Request) -> None:
    for name, raw in (
        ("previous_response_id", request.previous_response_id),
        ("conversation", request.conversation),
    ):
        if given(raw) is not None:
            raise BadRequest(
                f"`{name}` refers to an earlier response, and this server keeps none. Send the whole conversation in "
                "`input` with each request."
            )
    if given(request.prompt) is not None:
        raise BadRequest("`prompt` refers to a text stored at a provider. Send its text in `instructions` or `input`.")
    if request.background:
        raise BadRequest("`background` is not supported: this server keeps no responses. Leave it out, or stream.")


def _read_input(request: Request) -> tuple[tuple[Turn, ...], list[Tool]]:
    opening = [Turn("system", (Text(request.instructions),))] if request.instructions else []
    if isinstance(request.input, str):
        said = [Turn("user", (Text(request.input),))] if request.input else []
        return (*opening, *said), []
    conversation = Conversation(opening)
    for at, raw in enumerate(request.input or ()):
        conversation.take(raw, f"input[{at}]")
    return conversation.turns, conversation.tools


def _offer(listed: list[Tool], brought: list[Tool]) -> tuple[Tool, ...]:
    """All tools on offer. A later definition takes the place of an earlier one of the same name; what a search found
    is only new if it was not on offer."""
    offered: list[Tool] = []
    at: dict[str, int] = {}
    for tool in [*listed, *brought]:
        found = at.get(tool.name) if tool.kind != "vendor" else None
        if found is None:
            if tool.kind != "vendor":
                at[tool.name] = len(offered)
            offered.append(tool)
        elif FOUND not in tool.extras:
            _refuse_clash(offered[found], tool)
            offered[found] = tool
    return tuple(offered)


def _refuse_clash(one: Tool, other: Tool) -> None:
    homes = [home_of(tool) for tool in (one, other)]
    if len({(home.namespace, home.name) if home is not None else () for home in homes}) > 1:
        raise BadRequest(
            f"Two tools go by {one.name!r}: models without namespaces are offered a namespaced tool as "
            "<namespace>__<name>. Rename one of them."
        )


def _under(name: str, fields: Fields) -> dict[str, Raw]:
    return {f"{name}.{inner}": raw for inner, raw in fields.items() if given(raw) is not None}
