"""Tool loops by the libraries of Anthropic and Ollama, each as its own documentation shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anthropic import beta_tool

from benchwarmers.tests.live.tool_sdks import TOOLS, Call, Loop, Reply, gave, turn_of

CLAUDE_TOOLS: list[dict[str, Any]] = [
    {"name": name, "description": about, "input_schema": schema} for name, (about, schema) in TOOLS.items()
]
LLAMA_TOOLS: list[dict[str, Any]] = [
    {"type": "function", "function": {"name": name, "description": about, "parameters": schema}}
    for name, (about, schema) in TOOLS.items()
]


# --- Anthropic --------------------------------------------------------------------------------------------------------


def claude_whole(loop: Loop) -> tuple[Reply, Reply]:
    with loop.claude() as client:
        return _claude(loop, lambda **asked: client.messages.create(**asked))


def claude_streamed(loop: Loop) -> tuple[Reply, Reply]:
    with loop.claude() as client:

        def ask(**asked: Any) -> Any:
            with client.messages.stream(**asked) as stream:
                return stream.get_final_message()

        return _claude(loop, ask)


def _claude(loop: Loop, ask: Any) -> tuple[Reply, Reply]:
    messages: list[Any] = [{"role": "user", "content": loop.question}]
    asked = {"model": loop.model, "max_tokens": 2000, "tools": CLAUDE_TOOLS}
    message = ask(messages=messages, **asked)
    first = _message(message)
    results = [
        {"type": "tool_result", "tool_use_id": call.id, "content": gave(call.name, call.arguments)}
        for call in first.calls
    ]
    messages += [{"role": "assistant", "content": message.content}, {"role": "user", "content": results[::-1]}]
    return first, _message(ask(messages=messages, **asked))


def _message(message: Any) -> Reply:
    calls = [Call(block.id, block.name, block.input) for block in message.content if block.type == "tool_use"]
    text = "".join(block.text for block in message.content if block.type == "text")
    thoughts = "".join(block.thinking for block in message.content if block.type == "thinking")
    tokens = (message.usage.input_tokens, message.usage.output_tokens)
    bench = getattr(message, "bench", None)  # the library's gathering of a stream has no room for it
    turn = turn_of(bench) if bench is not None else None
    return Reply(text, message.stop_reason, calls, tokens, thoughts, turn)


def _runnable(made: list[Call]) -> list[Any]:
    """The two tools as functions that the library runs by itself; each notes its call."""

    def run(name: str, **arguments: Any) -> str:
        made.append(Call("", name, arguments))
        return gave(name, arguments)

    @beta_tool(name="weather", description=TOOLS["weather"][0], input_schema=TOOLS["weather"][1])
    def weather(place: Any, unit: str) -> str:
        return run("weather", place=place, unit=unit)

    @beta_tool(name="clock", description=TOOLS["clock"][0], input_schema=TOOLS["clock"][1])
    def clock(zone: str) -> str:
        return run("clock", zone=zone)

    return [weather, clock]


def claude_runner(loop: Loop) -> tuple[Reply, Reply]:
    """By the library's own loop. It asks for a thread first, is refused, and sends all messages then."""
    return _runner(loop, lambda runner: list(runner))


def claude_streaming_runner(loop: Loop) -> tuple[Reply, Reply]:
    return _runner(loop, lambda runner: [stream.get_final_message() for stream in runner], stream=True)


def _runner(loop: Loop, listen: Callable[[Any], list[Any]], **more: Any) -> tuple[Reply, Reply]:
    made: list[Call] = []
    with loop.claude() as client:
        runner = client.beta.messages.tool_runner(
            model=loop.model,
            max_tokens=2000,
            messages=[{"role": "user", "content": loop.question}],
            tools=_runnable(made),
            **more,
        )
        first, last = map(_message, listen(runner))
    assert loop.ear.refused == [400]
    assert [(call.name, call.arguments) for call in made] == [(call.name, call.arguments) for call in first.calls]
    return first, last


# --- Ollama -----------------------------------------------------------------------------------------------------------


def llama_whole(loop: Loop) -> tuple[Reply, Reply]:
    with loop.llama() as client:
        return _llama(loop, lambda **asked: [client.chat(**asked)])


def llama_streamed(loop: Loop) -> tuple[Reply, Reply]:
    with loop.llama() as client:
        return _llama(loop, lambda **asked: list(client.chat(**asked, stream=True)))


def _llama(loop: Loop, ask: Callable[..., list[Any]]) -> tuple[Reply, Reply]:
    messages: list[Any] = [{"role": "user", "content": loop.question}]
    asked = {"model": loop.model, "tools": LLAMA_TOOLS, "think": True}
    lines = ask(messages=messages, **asked)
    first = _lines(lines)
    called = [call for line in lines for call in line.message.tool_calls or ()]
    messages.append({"role": "assistant", "content": first.text, "thinking": first.thoughts, "tool_calls": called})
    for call in reversed(first.calls):
        messages.append({"role": "tool", "tool_name": call.name, "content": gave(call.name, call.arguments)})
    return first, _lines(ask(messages=messages, **asked))


def _lines(lines: list[Any]) -> Reply:
    calls = [
        Call("", call.function.name, dict(call.function.arguments))
        for line in lines
        for call in line.message.tool_calls or ()
    ]
    text = "".join(line.message.content or "" for line in lines)
    thoughts = "".join(line.message.thinking or "" for line in lines)
    return Reply(text, lines[-1].done_reason, calls, (lines[-1].prompt_eval_count, lines[-1].eval_count), thoughts)
