"""Tool loops by OpenAI's library, each as its own documentation shows: two turns, from the question to the answer."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from benchwarmers.tests.live.tool_sdks import TOOLS, Call, Loop, Reply, gave, turn_of

CHAT_TOOLS: list[dict[str, Any]] = [
    {"type": "function", "function": {"name": name, "description": about, "parameters": schema}}
    for name, (about, schema) in TOOLS.items()
]
RESPONSE_TOOLS: list[dict[str, Any]] = [
    {"type": "function", "name": name, "description": about, "parameters": schema, "strict": False}
    for name, (about, schema) in TOOLS.items()
]
PATCH: dict[str, Any] = {"type": "custom", "name": "patch", "description": "Takes free text."}
USAGE = {"include_usage": True}


# --- chat completions -------------------------------------------------------------------------------------------------


def chat_whole(loop: Loop) -> tuple[Reply, Reply]:
    with loop.gpt() as client:

        def ask(messages: list[Any]) -> Any:
            return client.chat.completions.create(model=loop.model, messages=messages, tools=CHAT_TOOLS)

        return _chat(loop, lambda messages: _completion(ask(messages)))


def chat_helper(loop: Loop) -> tuple[Reply, Reply]:
    """By the library's own gathering of a stream."""
    with loop.gpt() as client:

        def ask(messages: list[Any]) -> tuple[Reply, Any]:
            with client.chat.completions.stream(
                model=loop.model, messages=messages, tools=CHAT_TOOLS, stream_options=USAGE
            ) as stream:
                done = [event.name for event in stream if event.type == "tool_calls.function.arguments.done"]
                completion = stream.get_final_completion()
            reply, message = _completion(completion)
            assert sorted(done) == sorted(call.name for call in reply.calls)
            return reply, message

        return _chat(loop, ask)


def chat_streamed(loop: Loop) -> tuple[Reply, Reply]:
    """By hand, piece by piece."""
    with loop.gpt() as client:

        def ask(messages: list[Any]) -> tuple[Reply, Any]:
            return _gathered(
                client.chat.completions.create(
                    model=loop.model, messages=messages, tools=CHAT_TOOLS, stream=True, stream_options=USAGE
                )
            )

        return _chat(loop, ask)


def _chat(loop: Loop, ask: Any) -> tuple[Reply, Reply]:
    messages: list[Any] = [{"role": "user", "content": loop.question}]
    first, message = ask(messages)
    results = [
        {"role": "tool", "tool_call_id": call.id, "content": gave(call.name, call.arguments)} for call in first.calls
    ]
    last, _ = ask([*messages, message, *reversed(results)])
    return first, last


def _completion(completion: Any) -> tuple[Reply, Any]:
    message = completion.choices[0].message
    calls = [
        Call(call.id, call.function.name, json.loads(call.function.arguments)) for call in message.tool_calls or ()
    ]
    tokens = (completion.usage.prompt_tokens, completion.usage.completion_tokens)
    thoughts = getattr(message, "reasoning_content", None) or ""
    finish = completion.choices[0].finish_reason
    return Reply(message.content or "", finish, calls, tokens, thoughts, _turn(completion)), message


def _turn(reply: Any) -> int | None:
    """The library's gathering of a stream has no room for the `bench` object."""
    bench = getattr(reply, "bench", None)
    return turn_of(bench) if bench is not None else None


def _gathered(chunks: Iterable[Any]) -> tuple[Reply, Any]:
    text, thoughts, finish, bench, usage = "", "", "", None, None
    calls: dict[int, dict[str, Any]] = {}
    kept: dict[str, Any] = {}
    for chunk in chunks:
        bench = getattr(chunk, "bench", None) or bench
        usage = chunk.usage or usage
        for choice in chunk.choices:
            finish = choice.finish_reason or finish
            text += choice.delta.content or ""
            thoughts += getattr(choice.delta, "reasoning_content", None) or ""
            details = getattr(choice.delta, "reasoning_details", None)
            if details:
                kept["reasoning_details"] = [*kept.get("reasoning_details", []), *details]
            for piece in choice.delta.tool_calls or ():
                if piece.id:
                    calls[piece.index] = piece.model_dump(exclude_none=True, exclude={"index"})
                else:
                    calls[piece.index]["function"]["arguments"] += piece.function.arguments
    assert usage is not None
    message = {"role": "assistant", "content": text or None, **({"tool_calls": [*calls.values()]} if calls else {})}
    made = [
        Call(one["id"], one["function"]["name"], json.loads(one["function"]["arguments"])) for one in calls.values()
    ]
    tokens = (usage.prompt_tokens, usage.completion_tokens)
    return Reply(text, finish, made, tokens, thoughts, turn_of(bench)), {**message, **kept}


# --- Responses --------------------------------------------------------------------------------------------------------


def responses_whole(loop: Loop) -> tuple[Reply, Reply]:
    with loop.gpt() as client:
        return _responses(loop, lambda **asked: client.responses.create(**asked))


def responses_streamed(loop: Loop) -> tuple[Reply, Reply]:
    """By the events themselves: what they say must be what the response at their end holds."""
    with loop.gpt() as client:

        def ask(**asked: Any) -> Any:
            events = list(client.responses.create(**asked, stream=True))
            assert [event.sequence_number for event in events] == list(range(len(events)))
            response = events[-1].response
            done = {event.item.id: event.item for event in events if event.type == "response.output_item.done"}
            assert [done[item.id].type for item in response.output] == [item.type for item in response.output]
            pieces: dict[str, str] = {}
            for event in events:
                if event.type == "response.function_call_arguments.delta":
                    pieces[event.item_id] = pieces.get(event.item_id, "") + event.delta
            functions = [item for item in response.output if item.type == "function_call"]
            assert pieces == {item.id: item.arguments for item in functions}
            return response

        return _responses(loop, ask)


def responses_helper(loop: Loop) -> tuple[Reply, Reply]:
    """By the library's own gathering of a stream."""
    with loop.gpt() as client:

        def ask(**asked: Any) -> Any:
            with client.responses.stream(**asked) as stream:
                return stream.get_final_response()

        return _responses(loop, ask)


def responses_custom(loop: Loop) -> tuple[Reply, Reply]:
    """With a tool that takes free text beside a function."""
    with loop.gpt() as client:
        return _responses(loop, lambda **asked: client.responses.create(**asked), [RESPONSE_TOOLS[1], PATCH])


def responses_custom_helper(loop: Loop) -> tuple[Reply, Reply]:
    with loop.gpt() as client:

        def ask(**asked: Any) -> Any:
            with client.responses.stream(**asked) as stream:
                return stream.get_final_response()

        return _responses(loop, ask, [RESPONSE_TOOLS[1], PATCH])


def _responses(loop: Loop, ask: Any, tools: list[dict[str, Any]] = RESPONSE_TOOLS) -> tuple[Reply, Reply]:
    said: list[Any] = [{"role": "user", "content": loop.question}]
    asked = {"model": loop.model, "tools": tools, "store": False, "include": ["reasoning.encrypted_content"]}
    response = ask(input=said, **asked)
    first = _response(response)
    results = [
        {"type": f"{item.type}_output", "call_id": call.id, "output": gave(call.name, call.arguments)}
        for item, call in zip(_calls(response), first.calls, strict=True)
    ]
    return first, _response(ask(input=[*said, *response.output, *reversed(results)], **asked))


def _calls(response: Any) -> list[Any]:
    return [item for item in response.output if item.type in ("function_call", "custom_tool_call")]


def _response(response: Any) -> Reply:
    calls = [
        Call(item.call_id, item.name, json.loads(item.arguments) if item.type == "function_call" else item.input)
        for item in _calls(response)
    ]
    thoughts = [part.text for item in response.output if item.type == "reasoning" for part in item.summary]
    tokens = (response.usage.input_tokens, response.usage.output_tokens)
    return Reply(response.output_text, response.status, calls, tokens, "".join(thoughts), _turn(response))
