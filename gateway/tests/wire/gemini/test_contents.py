"""Parts become what they mean; results find their calls; opaque state stays as it is."""

import base64
import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import Media, Text, Thought, ToolCall, ToolResult, Turn
from gateway.tests.wire.gemini.asking import USER, ask_of, read, refusal, sent, turns

FOREIGN = base64.b64encode(b'{"bench_seal":{"anthropic":{"signature":"s"}},"text":"why"}').decode()


def model(*parts: Any) -> dict[str, Any]:
    return {"role": "model", "parts": list(parts)}


def user(*parts: Any) -> dict[str, Any]:
    return {"role": "user", "parts": list(parts)}


def called(name: str, id: str | None = None) -> dict[str, Any]:
    return {"functionCall": {"name": name, **({"id": id} if id else {})}}


def result(name: str | None = None, id: str | None = None, response: Any = None) -> dict[str, Any]:
    named = {key: value for key, value in (("name", name), ("id", id)) if value}
    return {"functionResponse": {**named, "response": response or {"output": "ok"}}}


def answered(*contents: Any) -> list[str]:
    """The ids of the calls that the results answer, in order."""
    return [part.call_id for turn in turns(*contents) for part in turn.parts if isinstance(part, ToolResult)]


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({}, "is empty"),
        ({"text": 5}, "`contents[0].parts[0].text` must be text"),
        ({"text": "x", "inlineData": {}}, "holds text and inlineData"),
        ({"hologram": {}}, "holds hologram, which cannot be passed on"),
        ({"executableCode": {"code": "1"}}, "holds executableCode"),
        ({"codeExecutionResult": {}}, "holds codeExecutionResult"),
        ({"inlineData": {"mimeType": "image/png"}}, "has no `data`"),
        ({"inlineData": {"data": "AAAA"}}, "has no `mimeType`"),
        ({"inlineData": "AAAA"}, "`contents[0].parts[0].inlineData` must be an object"),
        ({"fileData": {"fileUri": "https://generativelanguage.googleapis.com/v1beta/files/x"}}, "stored at Google"),
        ({"fileData": {"fileUri": "gs://bucket/x"}}, "stored at Google"),
        ({"fileData": {"fileUri": "file:///etc/passwd"}}, "Send an http or https address"),
        ({"fileData": {}}, "Send an http or https address"),
        ({"functionCall": {"name": "f"}}, "only a turn of the model can hold calls"),
        ({"functionResponse": {"name": "f", "response": {}}}, "answers no call"),
        ({"functionResponse": "x"}, "`contents[0].parts[0].functionResponse` must be an object"),
    ],
)
def test_parts_that_would_be_lost_are_refused_with_the_right_shape(part: Any, said: str) -> None:
    assert said in refusal(contents=[user(part)])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("f", "`contents[1].parts[0].functionCall` must be an object"),
        ({}, "names no function"),
        ({"name": 5}, "`contents[1].parts[0].functionCall.name` must be text"),
        ({"name": "f", "args": "{}"}, "args` must be an object"),
        ({"name": "f", "args": [1]}, "args` must be an object"),
    ],
)
def test_calls_that_nobody_could_run_are_refused(call: Any, said: str) -> None:
    assert said in refusal(contents=[USER, model({"functionCall": call})])


def test_results_find_their_call_by_id_by_name_or_by_order() -> None:
    two = model(called("f"), called("g"), called("f"))

    assert answered(USER, two, user(result("f"), result("f"), result("g"))) == ["call_0", "call_2", "call_1"]
    assert answered(USER, two, user(result(), result(), result())) == ["call_0", "call_1", "call_2"]
    assert answered(USER, two, user(result("odd"))) == ["call_0"]
    named = model(called("f", "a"), called("f", "b"))
    assert answered(USER, named, user(result("f", "b"), result("f", "a"))) == ["b", "a"]
    assert answered(USER, named, user(result("f"), result("f"))) == ["a", "b"]


def test_a_result_with_an_id_finds_a_call_without_one_and_never_one_with_another() -> None:
    assert answered(USER, model(called("f", "a"), called("f")), user(result("f", "x"))) == ["call_0"]
    assert answered(USER, model(called("f", "a")), user(result("f", "x"))) == ["x"]


def test_calls_are_numbered_through_the_whole_request() -> None:
    contents = [USER, model(called("f")), user(result("f")), model(called("f")), user(result("f"))]

    assert answered(*contents) == ["call_0", "call_1"]


def test_results_come_first_in_their_turn() -> None:
    read_turns = turns(USER, model(called("f")), user({"text": "go on"}, result("f")))

    assert [turn.role for turn in read_turns] == ["user", "assistant", "tool", "user"]


def test_a_result_in_the_models_own_turn_follows_its_call() -> None:
    read_turns = turns(USER, model({"text": "a"}, called("f"), result("f"), {"text": "b"}))

    assert read_turns[1:] == (
        Turn("assistant", (Text("a"), ToolCall("call_0", "f", "{}"))),
        Turn("tool", (ToolResult("call_0", (Text("ok"),), name="f"),)),
        Turn("assistant", (Text("b"),)),
    )


@pytest.mark.parametrize(
    ("response", "text", "error"),
    [
        ({"output": "ok"}, "ok", False),
        ({"output": {"a": 1}}, '{"output": {"a": 1}}', False),
        ({"error": "no"}, "no", True),
        ({"error": {"code": 1}}, '{"error": {"code": 1}}', True),
        ({"result": "ok"}, '{"result": "ok"}', False),
        ({"output": "ok", "error": ""}, '{"output": "ok", "error": ""}', False),
        ([1], "[1]", False),
        ("ok", "ok", False),
    ],
)
def test_a_results_words_are_plain_where_it_has_just_those(response: Any, text: str, error: bool) -> None:
    (part,) = turns(USER, model(called("f")), user(result("f", response=response)))[2].parts

    assert part == ToolResult("call_0", (Text(text),), error=error, name="f")


def test_a_result_may_hold_media() -> None:
    parts = [{"inlineData": {"mimeType": "image/png", "data": "AAAA"}}, {"fileData": {"fileUri": "https://h/a.mp3"}}]
    entry = result("f")
    entry["functionResponse"]["parts"] = parts
    (part,) = turns(USER, model(called("f")), user(entry))[2].parts

    assert isinstance(part, ToolResult)
    assert part.parts[1:] == (
        Media("image", data="AAAA", mime="image/png"),
        Media("audio", url="https://h/a.mp3", mime="audio/mpeg"),
    )
    entry["functionResponse"]["parts"] = [{"text": "x"}]
    assert "must hold `inlineData` or `fileData`" in refusal(contents=[USER, model(called("f")), user(entry)])


@pytest.mark.parametrize(
    ("part", "media"),
    [
        ({"inlineData": {"mimeType": "audio/mpeg", "data": "A"}}, Media("audio", data="A", mime="audio/mpeg")),
        (
            {"inlineData": {"data": "iVBORw0KGgo", "displayName": "a"}},
            Media("image", data="iVBORw0KGgo", mime="image/png", name="a"),
        ),
        ({"inlineData": {"mimeType": "image/png", "data": "-_8"}}, Media("image", data="+/8=", mime="image/png")),
        (
            {"fileData": {"fileUri": "https://h/a.webp?x=1"}},
            Media("image", url="https://h/a.webp?x=1", mime="image/webp"),
        ),
        ({"fileData": {"fileUri": "https://youtu.be/x"}}, Media("document", url="https://youtu.be/x")),
        (
            {"fileData": {"fileUri": "https://h/a", "mimeType": "video/mp4"}},
            Media("document", url="https://h/a", mime="video/mp4"),
        ),
    ],
)
def test_media_are_read_by_their_type_or_by_what_they_look_like(part: dict[str, Any], media: Media) -> None:
    assert turns(user(part))[0].parts == (media,)


def test_what_only_this_api_knows_of_a_part_goes_on_to_its_members() -> None:
    part = {"fileData": {"fileUri": "https://youtu.be/x"}, "videoMetadata": {"fps": 1}}
    ask = read(contents=[user({"text": "look"}, part)])

    assert set(ask.turns[0].extras) == {"parts"}
    assert sent(ask)[0]["contents"] == [user({"text": "look"}, part)]
    foreign = ask_of(*ask.turns, protocol="anthropic")
    assert "videoMetadata" not in json.dumps(sent(foreign)[0])
    assert "of the parts of a message was left out" in sent(foreign)[1][0]


# --- reasoning and seals ----------------------------------------------------------------------------------------------


def test_streamed_reasoning_comes_back_as_one_thought() -> None:
    def thoughts(*parts: Any) -> Any:
        return turns(USER, model(*parts))[1].parts

    said = {"text": "a", "thought": True}
    sealed = {"thought": True, "thoughtSignature": "c2ln"}
    seal = Raw(b'{"gemini":{"signature":"c2ln"}}')

    assert thoughts(said, {**said, "text": "b"}) == (Thought("ab"),)
    assert thoughts(said, {**sealed, "text": ""}) == (Thought("a", seal),)
    assert thoughts(said, {**sealed, "text": "b"}) == (Thought("a"), Thought("b", seal))
    assert thoughts(said, {"text": "x"}) == (Thought("a"), Text("x"))
    assert thoughts({**said, "text": ""}, {"text": "x"}) == (Text("x"),)


def test_another_formats_seal_comes_back_with_its_words_whatever_the_client_kept() -> None:
    seal = Raw(b'{"anthropic":{"signature":"s"}}')
    wrapped = {"text": "", "thought": True, "thoughtSignature": FOREIGN}

    assert turns(USER, model(wrapped))[1].parts == (Thought("why", seal),)
    assert turns(USER, model({"text": "why", "thought": True}, wrapped))[1].parts == (Thought("why", seal),)
    assert turns(USER, model({"text": "x", "thoughtSignature": FOREIGN}))[1].parts == (Text("x"), Thought("why", seal))
    assert turns(USER, model({"thoughtSignature": FOREIGN}))[1].parts == (Thought("why", seal),)
    in_a_call = {**called("f"), "thought_signature": FOREIGN.replace("=", "").replace("+", "-").replace("/", "_")}
    assert turns(USER, model(in_a_call))[1].parts == (ToolCall("call_0", "f", "{}", seal=seal),)


@pytest.mark.parametrize("signature", ["c2ln", "eyJiZW5jaF9zZWFsIjp9", "eyJiZW5jaF9zZWFsIjpudWxsfQ==", "not base64!"])
def test_a_signature_of_this_api_is_copied_as_it_is(signature: str) -> None:
    ask = read(contents=[USER, model({**called("f"), "thoughtSignature": signature})])

    assert sent(ask)[0]["contents"][1]["parts"][0]["thoughtSignature"] == signature


@pytest.mark.parametrize(
    "part",
    [
        {"executableCode": {"language": "PYTHON", "code": "1"}, "thoughtSignature": "c2ln"},
        {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}},
        {"toolCall": {"id": "x", "toolType": "GOOGLE_SEARCH_WEB", "args": {"q": 1.50}}},
        {"thoughtSignature": "c2ln"},
        {"text": "", "thoughtSignature": "c2ln"},
        {"text": "x", "thoughtSignature": "c2ln"},
    ],
)
def test_doings_of_the_providers_own_tools_and_lone_signatures_go_back_as_they_came(part: dict[str, Any]) -> None:
    ask = read(contents=[USER, model({"text": "a"}, part, {"text": "b"})])

    assert sent(ask)[0]["contents"][1]["parts"] == [{"text": "a"}, part, {"text": "b"}]
    other = sent(ask_of(*ask.turns, protocol="gemini"), served="other")[0]["contents"][1]["parts"]
    assert part in other


def test_a_signature_that_is_no_text_is_refused() -> None:
    assert "thoughtSignature` must be text" in refusal(contents=[USER, model({**called("f"), "thoughtSignature": 5})])


def test_chunks_that_a_client_kept_one_by_one_are_one_turn() -> None:
    thought = {"text": "Hm", "thought": True}
    sealed = {"text": "", "thought": True, "thoughtSignature": FOREIGN}
    kept = [model(part) for part in (thought, sealed, {"text": "Let m"}, {"text": "e see."}, called("f", "c1"))]
    said = turns(USER, *kept, model({"text": ""}), user(result("f", "c1")), model({"text": "Done."}))
    assert [turn.role for turn in said] == ["user", "assistant", "tool", "assistant"]
    assert [part.text for part in said[1].parts if isinstance(part, Text)] == ["Let me see."]
    assert [part.id for part in said[1].parts if isinstance(part, ToolCall)] == ["c1"]
    assert sum(isinstance(part, Thought) and part.seal is not None for part in said[1].parts) == 1


def test_chunks_of_the_model_end_where_a_result_stands_in_its_turn() -> None:
    said = turns(USER, model(called("f", "c1")), model(called("g", "c2"), result("g", "c2")), model(called("h", "c3")))
    assert [turn.role for turn in said] == ["user", "assistant", "assistant", "tool", "assistant"]


def test_a_chunk_whose_text_is_none_is_refused() -> None:
    assert "`contents[1].parts[0].text` must be text" in refusal(
        contents=[USER, model({"text": 5}), model({"text": "x"})]
    )
