"""The practice squad's decision model: by words, and over the app."""

from __future__ import annotations

import msgspec
import pytest

from gateway.canon.decision import Answer, Choice, Noul, Question, Score
from gateway.canon.fault import BadRequest, NotFound
from gateway.engine.picker_plan import QUESTION_ID, accept, question
from gateway.practice.decider import NAME, decide
from gateway.tests.practice.asking import call
from gateway.wire.decisions import DecisionAsk, read_answers, write_request


def answer(state: str, asked: Question) -> Answer:
    return decide(DecisionAsk(NAME, state, {"q": asked})).answers["q"]


@pytest.mark.parametrize(
    ("prompt", "shape"),
    [
        ("Write a Python function that parses dates.", "code"),
        ("Review this plan and find its mistakes.", "review"),
        ("Write a letter to my landlord.", "prose"),
        ("Propose an architecture for a queue.", "design"),
        ("List ideas for names of a cat.", "enumeration"),
        ("What is the capital of Peru?", "quick"),
        ("Hm.", "general"),
        ("Review my function.", "general"),
    ],
)
def test_the_shape_is_picked_by_the_words_that_tell(prompt: str, shape: str) -> None:
    told = answer(prompt, question())
    assert told.choice is not None
    assert told.confidence is not None
    assert accept(NAME, told.choice, told.confidence).shape == shape


def test_other_questions_go_by_the_words_they_share_with_the_state() -> None:
    state = "The invoice is wrong and the customer wants money back."
    teams = Choice("Who?", {"shipping": "Parcels and deliveries", "billing": "Anything about an invoice"})
    assert answer(state, teams) == Answer(choice="billing", confidence=0.75)
    assert answer(state, Noul("Does the customer want money?")) == Answer(noul=0.5)
    assert answer(state, Score("How wrong is the invoice?", ("fine", "bad", "awful"))) == Answer(
        score=2.0, confidence=0.5
    )


@pytest.mark.parametrize("asked", [Choice("Which?", {}), Score("How?", ("one",))])
def test_a_question_that_has_no_answer_is_refused(asked: Question) -> None:
    with pytest.raises(BadRequest, match="'q'"):
        answer("Why?", asked)


def test_there_is_one_model_by_that_name() -> None:
    with pytest.raises(NotFound, match="there is sorter"):
        decide(DecisionAsk("other", "Why?", {"q": question()}))


@pytest.mark.parametrize("path", ["/practice/decisions", "/practice/systemone"])
async def test_it_is_served_under_both_paths(path: str) -> None:
    asked: dict[str, Question] = {QUESTION_ID: question()}
    told = await call("POST", path, write_request(NAME, "Write a parser in Python.", asked))
    assert told.status == 200
    decided = read_answers(told.body, asked)
    assert (decided.answers[QUESTION_ID].choice, decided.model) == ("code", NAME)
    assert decided.usage is not None
    assert decided.usage.input > 0


@pytest.mark.parametrize(
    ("method", "body", "status"),
    [
        ("GET", b"", 405),
        ("POST", b"{}", 400),
        ("POST", write_request("other", "Why?", {"q": question()}), 404),
    ],
)
async def test_a_request_that_is_none_gets_an_error_that_clients_read(method: str, body: bytes, status: int) -> None:
    told = await call(method, "/practice/decisions", body)
    assert told.status == status
    assert msgspec.json.decode(told.body)["error"]["message"]
