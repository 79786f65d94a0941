"""The wire of decision models: one POST of a state with typed questions, one document of answers.

            request                                   answer
server      read_request(body) -> DecisionAsk         write_answers(decided) -> body
client      write_request(served, state, questions)   read_answers(body, questions) -> decided
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Raw, Struct

from gateway.canon.decision import TYPE_OF, Answer, Decided, Question, QuestionType
from gateway.canon.event import Usage
from gateway.canon.fault import BadRequest
from gateway.wire.body import read_body
from gateway.wire.errors import broken, error_in_reply
from gateway.wire.loose import Json

_WHAT = "a document of answers"


class DecisionAsk(Struct, frozen=True):
    """What is asked of `model` about `state`, by the ids of the questions."""

    model: str
    state: str
    questions: dict[str, Question]


class _Usage(Struct):
    input_tokens: int = 0
    output_tokens: int = 0


class _Sent(Struct):
    """A document of answers as it comes. Answers that nobody asked for may be anything."""

    answers: dict[str, Raw] = {}
    model: str | None = None
    usage: _Usage | None = None
    error: Json = None


class _Document(Struct, omit_defaults=True):
    answers: dict[str, Answer]
    model: str
    usage: _Usage | None = None


def write_request(served: str, state: str, questions: Mapping[str, Question]) -> bytes:
    """The body of the POST."""
    return msgspec.json.encode(DecisionAsk(served, state, dict(questions)))


def read_answers(body: bytes, questions: Mapping[str, Question]) -> Decided:
    """The answers of a 200. Raises Broken unless every question has one of its own type, with numbers in their
    bounds."""
    try:
        sent = msgspec.json.decode(body, type=_Sent)
        answers = {
            name: msgspec.json.decode(sent.answers[name], type=Answer) for name in questions if name in sent.answers
        }
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as garbled:
        raise broken(_WHAT, body, garbled) from garbled
    if sent.error is not None and not answers:
        raise error_in_reply(sent.error)
    for name, question in questions.items():
        why = _misfit(answers[name], TYPE_OF[type(question)]) if name in answers else f"it leaves {name!r} out"
        if why:
            raise broken(_WHAT, body, why)
    counted = sent.usage
    usage = None if counted is None else Usage(counted.input_tokens, counted.output_tokens).bounded()
    return Decided(answers, sent.model or "", usage)


def read_request(body: bytes) -> DecisionAsk:
    """Raises BadRequest when it is none."""
    ask = read_body(body, DecisionAsk)
    if not ask.questions:
        raise BadRequest("`questions` is empty. Ask at least one question.")
    return ask


def write_answers(decided: Decided) -> bytes:
    """The document of answers, with the tokens where they were counted."""
    usage = decided.usage
    counted = None if usage is None else _Usage(usage.input, usage.output)
    return msgspec.json.encode(_Document(decided.answers, decided.model, counted))


def _misfit(answer: Answer, kind: QuestionType) -> str:
    """Why this is no answer to a question of this kind, or nothing."""
    if getattr(answer, kind) is None:
        return f"an answer has no {kind}"
    numbers = {"confidence": answer.confidence} if kind != QuestionType.NOUL else {"noul": answer.noul}
    for name, number in numbers.items():
        if number is None or not 0 <= number <= 1:
            return f"an answer has no {name} from 0 to 1"
    return ""
