"""Requests are read as conversations of one turn, or refused where that would not do."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import Ask, BenchField, Knobs, Text, Turn
from gateway.canon.fault import BadRequest
from gateway.wire.openai_completions import SERVER

SHARED = Path(__file__).resolve().parents[5] / "shared"


def read(**fields: Any) -> Ask:
    return SERVER.read_ask(json.dumps({"model": "bench/core", "prompt": "hi", **fields}).encode())


def refusal(**fields: Any) -> str:
    with pytest.raises(BadRequest) as refused:
        read(**fields)
    return refused.value.message


def test_a_request_with_everything_is_read_in_full() -> None:
    ask = read(
        prompt=["Once"],
        stream=True,
        stream_options={"include_usage": True},
        max_tokens=9,
        temperature=1,
        top_p=0.5,
        top_k=3,
        stop="END",
        seed=7,
        presence_penalty=0.1,
        frequency_penalty=0.2,
        n=1,
        best_of=1,
        echo=False,
        logprobs=None,
        user="u",
        logit_bias=None,
        bench={"reply": "merged"},
        **{"with": ["alpha"]},
    )

    assert ask == Ask(
        protocol="openai_completions",
        model="bench/core",
        turns=(Turn("user", (Text("Once"),)),),
        stream=True,
        include_usage=True,
        knobs=Knobs(9, 1.0, 0.5, 3, ("END",), 7, 0.1, 0.2),
        nominated=("alpha",),
        bench=BenchField("merged"),
        extras={"user": Raw(b'"u"')},
    )


def test_it_does_not_stream_unless_it_is_told_to_and_a_missing_model_is_left_open() -> None:
    assert not read().stream
    assert not read(stream=None).stream
    assert SERVER.read_ask(b'{"prompt":"hi"}').model == ""


def test_a_model_is_echoed_as_it_was_asked_for() -> None:
    assert SERVER.echo_model("bench/core:merged") == "bench/core:merged"


def test_the_words_after_a_gap_become_an_instruction() -> None:
    instruction, prompt = read(prompt="Once", suffix="ever after.").turns

    assert instruction.role == "system"
    assert instruction.text.endswith("ever after.")
    assert prompt == Turn("user", (Text("Once"),))
    assert len(read(suffix="").turns) == 1


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"prompt": None}, "`prompt` must be text"),
        ({"prompt": ""}, "not empty"),
        ({"prompt": [""]}, "not empty"),
        ({"prompt": []}, "lists 0 prompts"),
        ({"prompt": ["a", "b"]}, "one request for each"),
        ({"prompt": [1, 2]}, "not tokens"),
        ({"prompt": [[1, 2]]}, "not tokens"),
        ({"prompt": 5}, "`prompt` must be text"),
        ({"prompt": {"a": 1}}, "`prompt` must be text"),
        ({"suffix": 5}, "`suffix` must be text"),
        ({"n": 2}, "`n` must be 1"),
        ({"n": 0}, "`n` must be at least 1"),
        ({"best_of": 3}, "`best_of` must be 1"),
        ({"echo": True}, "`echo` is not supported"),
        ({"logprobs": 0}, "`logprobs` are not relayed"),
        ({"logprobs": 5}, "`logprobs` are not relayed"),
        ({"max_tokens": 0}, "`max_tokens` must be at least 1"),
        ({"temperature": "hot"}, "`temperature` must be a number"),
        ({"stop": [1]}, "`stop[0]` must be text"),
        ({"stream": "yes"}, "`stream` must be true or false"),
        ({"stream_options": True}, "`stream_options` must be an object"),
        ({"model": 5}, "`model` must be text"),
        ({"with": "alpha"}, "`with` must be a list"),
        ({"bench": 5}, "`bench` must be an object"),
    ],
)
def test_malformed_requests_are_refused_with_what_is_right(fields: dict[str, Any], said: str) -> None:
    assert said in refusal(**fields)


@pytest.mark.parametrize("garbled", [b"", b"[]", b'{"prompt":', b'{"prompt":' + b"[" * 2_000 + b"]" * 2_000 + b"}"])
def test_what_is_no_body_is_refused(garbled: bytes) -> None:
    with pytest.raises(BadRequest):
        SERVER.read_ask(garbled)


def test_a_prompt_that_is_no_text_at_all_is_refused() -> None:
    with pytest.raises(BadRequest):
        SERVER.read_ask(b'{"prompt":"\xe5"}')


# --- real clients -----------------------------------------------------------------------------------------------------


def _requests() -> list[Any]:
    found = []
    for file in sorted((SHARED / "clients").rglob("*.json")):
        for exchange in json.loads(file.read_text()).get("exchanges") or []:
            if exchange.get("path") in ("/v1/completions", "/completions"):
                found.append(pytest.param(exchange["body"], id=f"{file.parent.name}/{file.stem}/{exchange['n']}"))
    return found or [pytest.param(None, marks=pytest.mark.skip("no ../shared/clients beside this checkout"))]


@pytest.mark.parametrize("sent", _requests())
def test_requests_of_real_clients_are_read(sent: dict[str, Any]) -> None:
    ask = SERVER.read_ask(json.dumps(sent).encode())

    assert ask.turns[-1].text in (sent["prompt"], sent["prompt"][0])
    assert ask.stream is bool(sent.get("stream"))
