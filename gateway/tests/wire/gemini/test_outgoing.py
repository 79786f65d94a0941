"""What goes out to a member, and what is said of what could not."""

import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import (
    Knobs,
    Media,
    Part,
    Refusal,
    Text,
    Thought,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Turn,
)
from gateway.tests.wire.gemini.asking import HELLO, USER, ask_of, read, sent
from gateway.wire.base import Facts
from gateway.wire.gemini import CLIENT

OWN = Raw(b'{"gemini":{"signature":"c2ln"}}')
FOREIGN = Raw(b'{"anthropic":{"signature":"s"}}')
CALL = Turn("assistant", (ToolCall("t0", "f", '{"a":1}'),))
DONE = Turn("tool", (ToolResult("t0", (Text("ok"),)),))


def parts(*given: Part, served: str = "m", **more: Any) -> Any:
    """What the parts of the model's turn go out as."""
    return sent(ask_of(HELLO, Turn("assistant", given), **more), served)[0]["contents"][1]["parts"]


def settings(served: str = "m", protocol: str = "openai_chat", **knobs: Any) -> dict[str, Any]:
    body = sent(ask_of(protocol=protocol, knobs=Knobs(**knobs)), served)[0]
    return dict(body.get("generationConfig", {}))


def test_a_plain_request_goes_out_as_a_stream() -> None:
    outgoing = CLIENT.write_ask(ask_of(), Facts("models/gemini-2.5-pro"))

    assert outgoing.path == "/models/gemini-2.5-pro:streamGenerateContent?alt=sse"
    assert outgoing.headers["accept"] == "text/event-stream"
    assert json.loads(outgoing.body) == {"contents": [USER]}
    whole = CLIENT.write_ask(ask_of(), Facts("m", stream=False))
    assert (whole.path, whole.headers["accept"]) == ("/models/m:generateContent", "application/json")
    assert CLIENT.auth("k") == {"x-goog-api-key": "k"}
    assert CLIENT.auth("") == {}


def test_the_callers_settings_go_over_the_operators_in_whatever_words_those_are() -> None:
    options = {
        "max_tokens": Raw(b"100"),
        "temperature": Raw(b"0"),
        "stream_options": Raw(b"{}"),
        "generationConfig": Raw(b'{"temperature":1,"speechConfig":{},"thinkingConfig":{"thinkingBudget":5}}'),
        "safetySettings": Raw(b"[]"),
    }

    body = sent(ask_of(knobs=Knobs(max_tokens=7)), options=options)[0]
    assert body == {
        "safetySettings": [],
        "contents": [USER],
        "generationConfig": {
            "temperature": 0,
            "speechConfig": {},
            "thinkingConfig": {"thinkingBudget": 5},
            "maxOutputTokens": 7,
        },
    }
    assert sent(ask_of(), options=options)[0]["generationConfig"]["maxOutputTokens"] == 100
    asked = read(generationConfig={"thinkingConfig": {"includeThoughts": True}})
    assert sent(asked, options=options)[0]["generationConfig"]["thinkingConfig"] == {
        "thinkingBudget": 5,
        "includeThoughts": True,
    }


def test_operators_settings_that_are_no_object_are_left_out() -> None:
    options = {"generationConfig": Raw(b"5"), "toolConfig": Raw(b"[]")}
    asked = read(generationConfig={"seed": 1}, toolConfig={"retrievalConfig": {}})

    assert sent(asked, options=options)[0] == {
        "contents": [USER],
        "generationConfig": {"seed": 1},
        "toolConfig": {"retrievalConfig": {}},
    }


def test_settings_go_out_under_the_names_of_this_api() -> None:
    assert settings(
        max_tokens=9,
        temperature=0.5,
        top_p=0.5,
        top_k=4,
        stop=("a", "b"),
        seed=7,
        presence_penalty=0.1,
        frequency_penalty=0.2,
    ) == {
        "maxOutputTokens": 9,
        "temperature": 0.5,
        "topP": 0.5,
        "topK": 4,
        "stopSequences": ["a", "b"],
        "seed": 7,
        "presencePenalty": 0.1,
        "frequencyPenalty": 0.2,
    }


def test_settings_beyond_what_this_api_takes_are_cut_and_said_so() -> None:
    knobs = Knobs(max_tokens=50, stop=tuple("abcdefg"), seed=2**40)
    body, notes = sent(ask_of(knobs=knobs), max_output=20)

    assert body["generationConfig"] == {"maxOutputTokens": 20, "stopSequences": list("abcde")}
    assert len(notes) == 3
    assert sent(ask_of(), max_output=20, options={"max_tokens": Raw(b"50")})[0]["generationConfig"] == {
        "maxOutputTokens": 20
    }
    assert sent(ask_of(), max_output=20, options={"max_tokens": Raw(b'"x"')})[1] == ()


@pytest.mark.parametrize(
    ("served", "knobs", "thinking"),
    [
        ("gemini-3-pro", {"reasoning_effort": "low"}, {"thinkingLevel": "low", "includeThoughts": True}),
        ("gemini-2.5-pro", {"reasoning_effort": "medium"}, {"thinkingBudget": 8_192, "includeThoughts": True}),
        ("gemini-2.5-pro", {"reasoning_effort": "max"}, {"thinkingBudget": 24_576, "includeThoughts": True}),
        ("gemini-flash-latest", {"reasoning_effort": "xhigh"}, {"thinkingLevel": "high", "includeThoughts": True}),
        ("gemini-3-pro", {"reasoning_tokens": 100}, {"thinkingBudget": 100, "includeThoughts": True}),
        ("gemini-3-pro", {"reasoning_effort": "none"}, {"thinkingBudget": 0}),
        (
            "gemini-3-pro",
            {"reasoning_tokens": 9, "reasoning_effort": "low"},
            {"thinkingBudget": 9, "includeThoughts": True},
        ),
    ],
)
def test_how_much_to_reason_is_said_in_the_models_own_terms(
    served: str, knobs: dict[str, Any], thinking: dict[str, Any]
) -> None:
    assert settings(served, **knobs) == {"thinkingConfig": thinking}


def test_callers_of_this_api_reason_as_they_asked() -> None:
    assert settings("gemini-2.5-pro", "gemini", reasoning_effort="low", reasoning_tokens=5) == {
        "thinkingConfig": {"thinkingLevel": "low", "thinkingBudget": 5}
    }


def test_instructions_go_where_they_belong() -> None:
    kind, brief = Turn("system", (Text("be kind"),)), Turn("developer", (Text("be brief"),))

    body = sent(ask_of(kind, brief, HELLO))[0]
    assert body["systemInstruction"] == {"parts": [{"text": "be kind"}, {"text": "be brief"}]}
    inline, notes = sent(ask_of(HELLO, brief))
    assert inline["contents"] == [{"role": "user", "parts": [{"text": "hi"}, {"text": "be brief"}]}]
    assert len(notes) == 1
    none, notes = sent(ask_of(kind, HELLO), system_role=False)
    assert none == {"contents": [{"role": "user", "parts": [{"text": "be kind"}, {"text": "hi"}]}]}
    assert len(notes) == 1


def test_a_conversation_begins_with_the_user_and_takes_turns() -> None:
    said = Turn("assistant", (Text("yes"),))

    assert [content["role"] for content in sent(ask_of(said, HELLO))[0]["contents"]] == ["user", "model", "user"]
    assert sent(ask_of(HELLO, HELLO, said, said))[0]["contents"] == [
        {"role": "user", "parts": [{"text": "hi"}, {"text": "hi"}]},
        {"role": "model", "parts": [{"text": "yes"}, {"text": "yes"}]},
    ]
    alone, notes = sent(ask_of(Turn("system", (Text("be kind"),))))
    assert (alone["contents"], len(notes)) == ([{"role": "user", "parts": [{"text": "be kind"}]}], 1)
    assert sent(ask_of(Turn("user")))[0]["contents"] == [{"role": "user", "parts": [{"text": "Begin."}]}]


def test_calls_and_results_are_paired_and_results_come_first() -> None:
    asked = ask_of(HELLO, CALL, Turn("user", (Text("go on"), ToolResult("t0", (Text('{"b":[1]}'),)))))

    assert sent(asked)[0]["contents"][1:] == [
        {"role": "model", "parts": [{"functionCall": {"id": "t0", "name": "f", "args": {"a": 1}}}]},
        {
            "role": "user",
            "parts": [{"functionResponse": {"id": "t0", "name": "f", "response": {"b": [1]}}}, {"text": "go on"}],
        },
    ]


@pytest.mark.parametrize(
    ("result", "response"),
    [
        (ToolResult("t0", (Text("ok"),)), {"output": "ok"}),
        (ToolResult("t0", (Text("a"), Text("b"))), {"output": "a\n\nb"}),
        (ToolResult("t0", (Text("[1]"),)), {"output": "[1]"}),
        (ToolResult("t0", (Text("{broken"),)), {"output": "{broken"}),
        (ToolResult("t0", (Text('{"a":1}'),), error=True), {"error": '{"a":1}'}),
        (ToolResult("t0"), {"output": ""}),
    ],
)
def test_a_result_is_an_object(result: ToolResult, response: Any) -> None:
    contents = sent(ask_of(HELLO, CALL, Turn("tool", (result,))))[0]["contents"]

    assert contents[2]["parts"][0]["functionResponse"]["response"] == response


def test_media_in_a_result_stay_in_it_where_the_model_can_read_them_there() -> None:
    result = ToolResult("t9", (Text("see"), Media("image", data="AAAA", mime="image/png")), name="shot")
    image = {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}
    asked = ask_of(HELLO, CALL, Turn("tool", (result,)))

    new = sent(asked, "gemini-3-pro")[0]["contents"][2]["parts"]
    assert new == [{"functionResponse": {"id": "t9", "name": "shot", "response": {"output": "see"}, "parts": [image]}}]
    old, notes = sent(asked, "gemini-2.5-pro")
    assert old["contents"][2]["parts"][1] == image
    assert len(notes) == 1


@pytest.mark.parametrize(
    ("media", "part"),
    [
        (Media("image", data="AAAA"), {"inlineData": {"mimeType": "image/jpeg", "data": "AAAA"}}),
        (Media("image", data="iVBORw0KGgo"), {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo"}}),
        (Media("audio", data="A", mime="audio/wav"), {"inlineData": {"mimeType": "audio/wav", "data": "A"}}),
        (Media("image", url="https://h/a.png"), {"fileData": {"mimeType": "image/png", "fileUri": "https://h/a.png"}}),
        (Media("image", url="https://h/a"), {"fileData": {"mimeType": "image/jpeg", "fileUri": "https://h/a"}}),
        (
            Media("document", url="https://h/a", name="n"),
            {"fileData": {"mimeType": "application/pdf", "fileUri": "https://h/a", "displayName": "n"}},
        ),
    ],
)
def test_media_go_out_as_data_or_by_address(media: Media, part: dict[str, Any]) -> None:
    assert sent(ask_of(Turn("user", (media,))))[0]["contents"][0]["parts"] == [part]


def test_a_file_stored_elsewhere_is_left_out_and_named() -> None:
    body, notes = sent(ask_of(Turn("user", (Text("hi"), Media("document", file_id="file-1")))))

    assert body["contents"] == [USER]
    assert "file-1" in notes[0]


# --- reasoning and seals ----------------------------------------------------------------------------------------------


def test_reasoning_and_signatures_go_back_only_where_they_were_made() -> None:
    sealed = {"text": "hm", "thought": True, "thoughtSignature": "c2ln"}

    assert parts(Thought("hm", OWN), Text("x")) == [sealed, {"text": "x"}]
    assert parts(Thought("hm", FOREIGN), Text("x")) == [{"text": "x"}]
    assert parts(Thought("hm"), Text("x"), protocol="openai_chat") == [{"text": "x"}]
    assert parts(Thought("hm"), Text("x")) == [{"text": "hm", "thought": True}, {"text": "x"}]
    assert parts(ToolCall("t", "f", "{}", seal=OWN))[0]["thoughtSignature"] == "c2ln"
    assert "thoughtSignature" not in parts(ToolCall("t", "f", "{}", seal=FOREIGN))[0]
    assert sent(ask_of(HELLO, Turn("assistant", (Thought("", FOREIGN),))))[1] == (
        "Earlier reasoning was left out: it does not bear this model's signature.",
    )


@pytest.mark.parametrize("seal", [b'"sig"', b"[1]", b'{"gemini":5}', b'{"gemini":null}'])
def test_a_seal_of_an_unknown_form_is_not_taken_for_one_of_this_api(seal: bytes) -> None:
    assert parts(Thought("hm", Raw(seal)), Text("x")) == [{"text": "x"}]


def test_the_signature_of_a_text_finds_its_text_or_stands_alone() -> None:
    seal = Thought("", Raw(b'{"gemini":{"signature":"c2ln","on_text":true}}'))

    assert parts(Text("a"), Text("b"), seal) == [{"text": "a"}, {"text": "b", "thoughtSignature": "c2ln"}]
    alone = {"text": "", "thoughtSignature": "c2ln"}
    assert parts(seal, Text("a")) == [alone, {"text": "a"}]
    assert parts(Text("a"), seal, seal) == [{"text": "a", "thoughtSignature": "c2ln"}, alone]


def test_newer_models_get_what_they_take_in_place_of_a_signature() -> None:
    two = (ToolCall("a", "f", "{}"), ToolCall("b", "g", "{}", seal=FOREIGN))

    def signatures(served: str, *calls: ToolCall) -> list[str | None]:
        return [part.get("thoughtSignature") for part in parts(*calls, served=served)]

    assert signatures("gemini-3-pro-preview", *two) == ["skip_thought_signature_validator", None]
    assert signatures("gemini-2.5-pro", *two) == [None, None]
    assert signatures("gemini-3-pro-preview", ToolCall("a", "f", "{}", seal=OWN), two[1]) == ["c2ln", None]


@pytest.mark.parametrize(
    ("call", "args"),
    [
        (ToolCall("t", "f", ""), {}),
        (ToolCall("t", "f", '{"a": 1}'), {"a": 1}),
        (ToolCall("t", "f", "raw", custom=True), {"input": "raw"}),
        (ToolCall("t", "f", "not json"), {"arguments": "not json"}),
    ],
)
def test_the_arguments_of_a_call_are_an_object(call: ToolCall, args: Any) -> None:
    assert parts(call)[0]["functionCall"]["args"] == args


def test_a_refusal_is_text() -> None:
    assert parts(Refusal("no"), Text("")) == [{"text": "no"}]


def test_what_this_api_lacks_is_named() -> None:
    cache = Raw(b'{"type":"ephemeral"}')
    body, notes = sent(
        ask_of(
            Turn("user", (Text("hi", cache),), name="ann", extras={"id": Raw(b"1")}),
            protocol="anthropic",
            tools=(Tool("f", cache=cache),),
            tool_choice=ToolChoice(parallel=False),
            extras={"metadata": Raw(b"{}")},
        )
    )

    assert body == {"contents": [USER], "tools": [{"functionDeclarations": [{"name": "f"}]}]}
    assert notes == (
        "Names of participants were left out: this API has none.",
        "`id` of a message was left out: it belongs to the caller's API.",
        "Cache marks were left out: this API has none.",
        "That calls are made one at a time was left out: this API has no such setting.",
        "`metadata` was left out: it belongs to the caller's API.",
    )


def test_one_answer_is_asked_for_and_log_probabilities_are_not() -> None:
    body, notes = sent(read(generationConfig={"candidateCount": 2, "logprobs": 3, "responseLogprobs": True}))

    assert "generationConfig" not in body
    assert len(notes) == 3


def test_unread_fields_go_back_to_their_places() -> None:
    config = {"mode": "VALIDATED", "allowedFunctionNames": ["f"]}
    asked = {
        "tools": [{"functionDeclarations": [{"name": "f", "behavior": "BLOCKING"}]}],
        "toolConfig": {"functionCallingConfig": config, "retrievalConfig": {"languageCode": "de"}},
        "generationConfig": {"speechConfig": {"a": 1}, "thinkingConfig": {"thinkingBudget": -1}},
        "cachedContent": "cachedContents/x",
    }
    body, notes = sent(read(**asked))

    assert body == {"contents": [USER], **asked}
    assert notes == ()
