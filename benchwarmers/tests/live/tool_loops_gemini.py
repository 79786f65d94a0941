"""Tool loops by Google's library, with declared functions and with functions that it calls by itself.

Annotations are not put off here: the library reads them as they are.
"""

from collections.abc import Callable, Iterable
from typing import Annotated, Any

from google.genai import types
from pydantic import BaseModel, Field

from benchwarmers.tests.live.tool_sdks import TOOLS, Call, Loop, Reply, gave

DECLARED = [
    types.FunctionDeclaration(name=name, description=about, parameters_json_schema=schema)
    for name, (about, schema) in TOOLS.items()
]


def gemini_whole(loop: Loop) -> tuple[Reply, Reply]:
    with loop.gemini() as client:
        return _gemini(loop, lambda **asked: [client.models.generate_content(**asked)])


def gemini_streamed(loop: Loop) -> tuple[Reply, Reply]:
    with loop.gemini() as client:
        return _gemini(loop, lambda **asked: list(client.models.generate_content_stream(**asked)))


def _gemini(loop: Loop, ask: Callable[..., list[Any]]) -> tuple[Reply, Reply]:
    said = [types.UserContent(parts=[types.Part(text=loop.question)])]
    config = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=DECLARED)],
        thinking_config=types.ThinkingConfig(include_thoughts=True),
    )
    chunks = ask(model=loop.model, contents=said, config=config)
    first = _chunks(chunks)
    model = types.ModelContent(parts=_parts(chunks))
    results = [_result(call) for call in first.calls]
    last = ask(model=loop.model, contents=[*said, model, types.UserContent(parts=results[::-1])], config=config)
    return first, _chunks(last)


def _result(call: Call) -> types.Part:
    response = types.FunctionResponse(id=call.id, name=call.name, response={"result": gave(call.name, call.arguments)})
    return types.Part(function_response=response)


def _parts(chunks: Iterable[Any]) -> list[Any]:
    return [
        part for chunk in chunks for part in (chunk.candidates[0].content.parts or ()) if chunk.candidates[0].content
    ]


def _chunks(chunks: list[Any]) -> Reply:
    parts = _parts(chunks)
    calls = [
        Call(part.function_call.id, part.function_call.name, part.function_call.args)
        for part in parts
        if part.function_call
    ]
    text = "".join(part.text for part in parts if part.text and not part.thought)
    thoughts = "".join(part.text for part in parts if part.text and part.thought)
    usage = chunks[-1].usage_metadata
    tokens = (usage.prompt_token_count, usage.total_token_count - usage.prompt_token_count)
    return Reply(text, chunks[-1].candidates[0].finish_reason.name, calls, tokens, thoughts)


class Place(BaseModel):
    city: str
    at: Annotated[list[float], Field(min_length=2)]


def gemini_automatic(loop: Loop) -> tuple[Reply, Reply]:
    """By functions that the library calls by itself."""
    return _automatic(loop, lambda client, **asked: [client.models.generate_content(**asked)])


def gemini_automatic_streamed(loop: Loop) -> tuple[Reply, Reply]:
    return _automatic(loop, lambda client, **asked: list(client.models.generate_content_stream(**asked)))


def _automatic(loop: Loop, ask: Callable[..., list[Any]]) -> tuple[Reply, Reply]:
    made: list[Call] = []

    def weather(place: Place) -> str:
        """The weather at a place."""
        made.append(Call("", "weather", {"place": place.model_dump()}))
        return gave(*made[-1][1:])

    def clock(zone: str) -> str:
        """The time in a zone."""
        made.append(Call("", "clock", {"zone": zone}))
        return gave(*made[-1][1:])

    config = types.GenerateContentConfig(
        tools=[weather, clock], thinking_config=types.ThinkingConfig(include_thoughts=True)
    )
    with loop.gemini() as client:
        chunks = ask(client, model=loop.model, contents=loop.question, config=config)
    ends = [place for place, chunk in enumerate(chunks) if chunk.candidates[0].finish_reason]
    last = _chunks(chunks[ends[-2] + 1 :] if len(ends) > 1 else chunks)
    _, *model, results = chunks[-1].automatic_function_calling_history
    calls = [part.function_call for content in model for part in content.parts or () if part.function_call]
    assert [(call.name, call.args) for call in calls] == [(call.name, call.arguments) for call in made]
    assert [part.function_response.name for part in results.parts] == ["weather", "clock"]  # without their ids
    thoughts = "".join(part.text or "" for content in model for part in content.parts or () if part.thought)
    first = Reply("", "STOP", [Call(call.id, call.name, call.args) for call in calls], last.tokens, thoughts)
    return first, last
