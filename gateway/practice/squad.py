"""Seven characters and the scripts they play.

    slow      thorough, about 25 tokens a second
    wrong     quick, sure of itself and mistaken
    terse     one line
    flaky     one call in three fails: told to wait, an error, or a stream that breaks off
    thinker   thinks aloud before it answers
    handy     calls every tool on offer at once, then tells what each gave
    keeper    does the same, thinks aloud, and goes on only when its seals come back as it made them

`play` is pure: the same request and the same `rng` state make the same script, timing included. Nothing here is a
model; the listing (`OWNER`) and each answer's system fingerprint say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from random import Random
from typing import Any, Literal

import msgspec
from msgspec import Struct, structs

from gateway.practice.answers import MANNERS, after_tool, thinking
from gateway.practice.hunt import Recall, asks_verdict, hunted, judged, nothing_known, read_hunt
from gateway.practice.looks import look, tally
from gateway.practice.prompt import Prompt, read_prompt
from gateway.practice.request import ChatRequest, Message
from gateway.practice.sample import Sampler
from gateway.practice.seals import Held, check_held, make_seal
from gateway.practice.tools import ScriptedCall, choose_calls

OWNER = "practice (scripted, not a model)"
FINGERPRINT = "practice-scripted-not-a-model"

Kind = Literal["thought", "text", "arguments"]
Finish = Literal["stop", "length", "tool_calls"]


class Pace(Struct, frozen=True):
    """Seconds before the first token and between two tokens."""

    first: float
    each: float


PACES: Mapping[str, Pace] = {
    "slow": Pace(0.4, 0.04),
    "wrong": Pace(0.15, 0.012),
    "terse": Pace(0.1, 0.01),
    "flaky": Pace(0.2, 0.015),
    "thinker": Pace(0.3, 0.02),
    "handy": Pace(0.02, 0.002),
    "keeper": Pace(0.02, 0.002),
}
CHARACTERS = tuple(PACES)
THINKERS = frozenset({"thinker", "keeper"})
_EVERY_TOOL = frozenset({"handy", "keeper"})
_NOTHING_HELD = Held()


class Piece(Struct, frozen=True):
    """One token: what it is part of, its text, and the pause before it in seconds. `call` is the place of the call
    whose arguments it belongs to."""

    kind: Kind
    text: str
    pause: float
    call: int = 0


class Failure(Struct, frozen=True):
    """How a call fails. `after` None: with an HTTP error at once; otherwise the stream breaks after so many pieces."""

    status: int
    message: str
    code: str
    wait: int | None = None
    after: int | None = None


class Script(Struct, frozen=True):
    """A whole performance. The pieces include the arguments of `calls`; `seal` is that of the thoughts."""

    served: str
    pieces: tuple[Piece, ...]
    finish: Finish
    prompt_tokens: int
    calls: tuple[ScriptedCall, ...] = ()
    failure: Failure | None = None
    seal: str = ""

    def text(self, kind: Kind) -> str:
        """All pieces of one kind, joined."""
        return "".join(piece.text for piece in self.pieces if piece.kind == kind)

    def arguments(self, call: int) -> str:
        """What is played of this call's arguments."""
        return "".join(piece.text for piece in self.pieces if piece.kind == "arguments" and piece.call == call)

    @property
    def begun(self) -> list[int]:
        """The places of the calls that are begun before the script is cut."""
        return sorted({piece.call for piece in self.pieces if piece.kind == "arguments"})

    @property
    def sealed(self) -> bool:
        """Do the thoughts come to their end, and so to their seal?"""
        return bool(self.pieces) and self.pieces[-1].kind != "thought"

    @property
    def usage(self) -> dict[str, Any]:
        """Tokens, in the interface's form: a piece is a token, thoughts are part of what was generated."""
        thought = sum(piece.kind == "thought" for piece in self.pieces)
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": len(self.pieces),
            "total_tokens": self.prompt_tokens + len(self.pieces),
            "completion_tokens_details": {"reasoning_tokens": thought},
        }


def play(
    served: str, request: ChatRequest, rng: Random, held: Held = _NOTHING_HELD, recall: Recall = nothing_known
) -> Script:
    """The script of the character `served` for this request, which brings `held` back; `recall` is the code that the
    squad has by heart. Raises BadRequest for a tool choice that cannot be met, and from `keeper` for a seal that is
    missing or broken."""
    if served == "keeper":
        check_held(held)
    failure = _failure(rng, streamed=bool(request.stream)) if served == "flaky" else None
    prompt = read_prompt(request.prompt)
    calls = choose_calls(request, prompt, rng, every=served in _EVERY_TOOL)
    said: list[tuple[Kind, str, int]] = []
    if served in THINKERS:
        given = request.last.attached
        with_it = f"With it came {tally(given)}. " if given else ""
        said += (("thought", text, 0) for text in _tokens(with_it + thinking(prompt, rng)))
    if calls:
        said += (("arguments", text, place) for text, place in _interleaved(calls))
    else:
        answer = _stopped(_answer(served, request, prompt, rng, recall), request.stops)
        said += (("text", text, 0) for text in _tokens(answer))
    pace = PACES[served]
    pieces = [Piece(kind, text, pace.each, place) for kind, text, place in said]
    finish: Finish = "tool_calls" if calls else "stop"
    if request.budget is not None and len(pieces) > request.budget:
        pieces, finish = pieces[: request.budget], "length"
    if pieces:
        pieces[0] = structs.replace(pieces[0], pause=pace.first)
    if failure is not None and failure.after is not None:
        failure = structs.replace(failure, after=len(pieces) // 2)
    seal = make_seal(rng) if served in THINKERS else ""
    if served == "keeper" and calls:
        calls = (structs.replace(calls[0], seal=make_seal(rng)), *calls[1:])
    return Script(served, tuple(pieces), finish, request.prompt_tokens, calls, failure, seal)


def _failure(rng: Random, *, streamed: bool) -> Failure | None:
    """Nothing, two times in three."""
    if rng.random() >= 1 / 3:
        return None
    kinds = (
        Failure(429, "Too many requests; this character asks for a pause.", "rate_limit_exceeded", wait=2),
        Failure(500, "Something broke while answering.", "server_error"),
        Failure(500, "The stream broke off.", "server_error", after=0),
    )
    return rng.choice(kinds if streamed else kinds[:2])


def _answer(served: str, request: ChatRequest, prompt: Prompt, rng: Random, recall: Recall) -> str:
    given = request.last.attached
    seen = look(served, given, rng)
    if results := request.results:
        told = results if served in _EVERY_TOOL else results[-1:]
        text = "\n".join(
            after_tool(one.name or _called(request, one), one.text, mistaken=served == "wrong") for one in told
        )
    elif seen and not prompt.words:
        text = ""
    elif hunt := read_hunt(request.prompt):
        text = hunted(served, hunt, recall, rng)
    elif asks_verdict(request.prompt):
        text = judged(served)
    else:
        text = MANNERS[served](prompt, rng)
    return _formatted(request.wanted, " ".join(words for words in (seen, text) if words), prompt)


def _formatted(wanted: Mapping[str, Any] | None, text: str, prompt: Prompt) -> str:
    """The answer as JSON where JSON was asked for, else as it is."""
    kind = wanted.get("type") if wanted else None
    if wanted is None or kind not in ("json_object", "json_schema"):
        return text
    described = wanted.get("json_schema")
    schema = described.get("schema") if isinstance(described, Mapping) else None
    if kind == "json_object" or not isinstance(schema, Mapping):
        return msgspec.json.encode({"answer": text}).decode()
    return msgspec.json.encode(Sampler(schema, text, prompt.numbers).value()).decode()


def _called(request: ChatRequest, result: Message) -> str:
    """The name of the tool that gave this result, as the call before it has it."""
    for message in reversed(request.messages):
        for call in message.tool_calls or ():
            inner = call.get(str(call.get("type") or "function"))
            if call.get("id") == result.tool_call_id and isinstance(inner, Mapping):
                return str(inner.get("name", ""))
    return ""


def _stopped(text: str, stops: Iterable[str]) -> str:
    """The text up to the first stop text in it."""
    ends = [place for stop in stops if (place := text.find(stop)) >= 0]
    return text[: min(ends)] if ends else text


def _tokens(text: str) -> list[str]:
    return re.findall(r"\s*\S+|\s+\Z", text)


def _slices(text: str, size: int = 8) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)] or [""]


def _interleaved(calls: tuple[ScriptedCall, ...]) -> Iterator[tuple[str, int]]:
    """(piece, place of its call): a piece of each call in turn, as long as it has any."""
    for row in zip_longest(*(_slices(call.arguments) for call in calls)):
        yield from ((piece, place) for place, piece in enumerate(row) if piece is not None)
