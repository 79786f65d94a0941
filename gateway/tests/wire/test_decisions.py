"""The wire of decision models, from both sides."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.canon.decision import Answer, Choice, Decided, Noul, Question, Score
from gateway.canon.event import MOST_TOKENS, Usage
from gateway.canon.fault import BadRequest, Broken, ErrorInReply
from gateway.wire.decisions import DecisionAsk, read_answers, read_request, write_answers, write_request

CHOICE = Choice("Which?", {"code": "Programs.", "prose": None})
QUESTIONS: dict[str, Question] = {
    "which": CHOICE,
    "so": Noul("Is it so?"),
    "how": Score("How much?", ("none", "some", "all")),
}


def test_the_request_has_a_model_a_state_and_typed_questions() -> None:
    assert json.loads(write_request("lab/one", "Why?", QUESTIONS)) == {
        "model": "lab/one",
        "state": "Why?",
        "questions": {
            "which": {"type": "choice", "instructions": "Which?", "criteria": {"code": "Programs.", "prose": None}},
            "so": {"type": "noul", "instructions": "Is it so?"},
            "how": {"type": "score", "instructions": "How much?", "criteria": ["none", "some", "all"]},
        },
    }


def test_both_sides_read_what_the_other_writes() -> None:
    assert read_request(write_request("one", "Why?", QUESTIONS)) == DecisionAsk("one", "Why?", QUESTIONS)
    decided = Decided(
        {
            "which": Answer(choice="code", confidence=0.9),
            "so": Answer(noul=0.2),
            "how": Answer(score=1.5, confidence=1),
        },
        "one",
        Usage(7, 0),
    )
    assert read_answers(write_answers(decided), QUESTIONS) == decided


def test_what_is_not_asked_for_is_passed_over() -> None:
    body = {
        "id": "d1",
        "model": "one-2026",
        "answers": {
            "which": {"type": "choice", "choice": "code", "confidence": 0.97, "probabilities": {"code": 0.98}},
            "else": {"type": "essay", "text": "…"},
        },
        "usage": {"input_tokens": 12, "output_tokens": 1, "total_tokens": 13},
    }
    assert read_answers(json.dumps(body).encode(), {"which": CHOICE}) == Decided(
        {"which": Answer(choice="code", confidence=0.97)}, "one-2026", Usage(12, 1)
    )


def test_counts_that_cannot_be_are_brought_within_bounds() -> None:
    answers = {"which": {"type": "choice", "choice": "code", "confidence": 0.97}}
    body = {"model": "one", "answers": answers, "usage": {"input_tokens": -1, "output_tokens": 10**30}}
    assert read_answers(json.dumps(body).encode(), {"which": CHOICE}).usage == Usage(0, MOST_TOKENS)


@pytest.mark.parametrize(
    ("question", "answer", "why"),
    [
        (CHOICE, None, "leaves 'which' out"),
        (CHOICE, {"confidence": 0.9}, "no choice"),
        (CHOICE, {"choice": "code"}, "no confidence from 0 to 1"),
        (CHOICE, {"choice": "code", "confidence": 97}, "no confidence from 0 to 1"),
        (CHOICE, {"choice": "code", "confidence": -0.1}, "no confidence from 0 to 1"),
        (CHOICE, {"choice": 3, "confidence": 0.9}, "Expected `str"),
        (Noul("So?"), {"noul": 1.5}, "no noul from 0 to 1"),
        (Noul("So?"), {"choice": "code", "confidence": 1}, "no noul"),
        (Score("?", ("a", "b")), {"confidence": 1}, "no score"),
    ],
)
def test_an_answer_that_does_not_fit_its_question_is_broken(question: Question, answer: Any, why: str) -> None:
    body = json.dumps({"answers": {} if answer is None else {"which": answer}}).encode()
    with pytest.raises(Broken, match=why):
        read_answers(body, {"which": question})


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"{}", b'{"answers": []}', b"\xff", b"[" * 5_000])
def test_garbage_is_broken(body: bytes) -> None:
    with pytest.raises(Broken, match="not a document of answers"):
        read_answers(body, {"which": CHOICE})


def test_an_error_inside_a_200_is_one() -> None:
    with pytest.raises(ErrorInReply, match="no credit"):
        read_answers(b'{"error": {"message": "no credit"}}', {"which": CHOICE})


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"model": "one", "state": "s", "questions": {}}, "at least one"),
        ({"model": "one", "questions": {}}, "state"),
        ({"model": "one", "state": "s", "questions": {"a": {"type": "essay"}}}, "essay"),
        ({"model": "one", "state": "s", "questions": {"a": {"type": "choice", "instructions": "?"}}}, "criteria"),
    ],
)
def test_a_request_that_is_none_is_refused_with_what_is_wrong(body: Any, why: str) -> None:
    with pytest.raises(BadRequest, match=why):
        read_request(json.dumps(body).encode())
