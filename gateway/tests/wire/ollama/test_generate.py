"""Generate requests are read as conversations of one turn, or refused where that would not do."""

from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import Ask, Knobs, Media, OutputFormat, Text, Turn
from gateway.tests.wire.ollama.asking import PNG, generate, refused_generate, sent


def test_a_request_with_everything_is_read_in_full() -> None:
    ask = generate(
        prompt="look",
        system="be kind",
        images=[PNG],
        format="json",
        options={"num_predict": 9},
        think=False,
        keep_alive=0,
        raw=False,
        template="",
        context=[],
        stream=False,
    )

    assert ask == Ask(
        protocol="ollama_generate",
        model="bench/core",
        turns=(
            Turn("system", (Text("be kind"),)),
            Turn("user", (Text("look"), Media("image", data=PNG, mime="image/png"))),
        ),
        include_usage=True,
        output=OutputFormat("json_object"),
        knobs=Knobs(max_tokens=9, reasoning_effort="none"),
        extras={"keep_alive": Raw(b"0")},
    )


def test_it_streams_unless_it_is_told_not_to() -> None:
    assert generate().stream
    assert not generate(stream=False).stream


def test_the_words_after_a_gap_become_an_instruction() -> None:
    instruction, prompt = generate(prompt="def f(", suffix="return x").turns

    assert instruction.role == "system"
    assert instruction.text.endswith("return x")
    assert prompt.text == "def f("


def test_an_image_alone_is_a_prompt() -> None:
    assert generate(prompt="", images=[PNG]).turns[0].parts == (Media("image", data=PNG, mime="image/png"),)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"prompt": None}, "`prompt` must be text"),
        ({"prompt": ""}, "not empty"),
        ({"prompt": 5}, "`prompt` must be text"),
        ({"prompt": ["hi"]}, "`prompt` must be text"),
        ({"system": 5}, "`system` must be text"),
        ({"images": "x"}, "`images` must be a list"),
        ({"images": ["<"]}, "`images[0]` is not base64"),
        ({"context": [1, 2]}, "/api/chat"),
        ({"raw": True}, "`raw` prompts"),
        ({"template": "{{ .Prompt }}"}, "`template` belongs to one model"),
        ({"suffix": 5}, "`suffix` must be text"),
        ({"options": 5}, "`options` must be an object"),
    ],
)
def test_malformed_requests_are_refused_with_what_is_right(fields: dict[str, Any], said: str) -> None:
    assert said in refused_generate(**fields)


def test_a_member_of_the_same_api_is_asked_in_chat_with_the_callers_own_fields() -> None:
    body, notes = sent(generate(keep_alive="5m", options={"min_p": 0.1}))

    assert body["messages"] == [{"role": "user", "content": "hi"}]
    assert (body["keep_alive"], body["options"]) == ("5m", {"min_p": 0.1})
    assert notes == ()
