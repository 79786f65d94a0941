"""Free-text tools for members that know functions only, and their calls back to the caller."""

import json

from gateway.canon.ask import Ask, Text, Tool, ToolCall, ToolChoice, ToolResult, Turn
from gateway.canon.event import ArgsDelta, Closed, Finish, ToolOpened
from gateway.canon.reply import Reply
from gateway.tests.wire.openai_chat.asking import read, sent
from gateway.wire.base import Stamp
from gateway.wire.openai_chat import CLIENT, SERVER

ASK = Ask(
    "openai_chat",
    "bench/core",
    (
        Turn("user", (Text("go"),)),
        Turn("assistant", (ToolCall("t", "patch", "raw", custom=True), ToolCall("u", "f", "{}"))),
        Turn("tool", (ToolResult("t", (Text("ok"),)), ToolResult("u", (Text("ok"),)))),
    ),
    tools=(Tool("patch", "Change files.", kind="custom"), Tool("f")),
    tool_choice=ToolChoice("named", "patch"),
)
STAMP = Stamp("chatcmpl-1", 1_790_000_000, "bench/core")


def test_a_member_of_whom_nothing_is_known_gets_the_tool_the_choice_and_earlier_calls_as_functions() -> None:
    body, notes = sent(ASK)

    assert [tool["type"] for tool in body["tools"]] == ["function", "function"]
    assert body["tools"][0]["function"]["parameters"]["required"] == ["input"]
    assert body["tool_choice"] == {"type": "function", "function": {"name": "patch"}}
    assert [call["function"] for call in body["messages"][1]["tool_calls"]] == [
        {"name": "patch", "arguments": '{"input":"raw"}'},
        {"name": "f", "arguments": "{}"},
    ]
    assert notes == (
        "A free-text call was sent as the call of a function with one text.",
        "The free-text tool patch was sent as a function with one text.",
    )


def test_a_member_that_knows_the_tool_gets_it_as_it_is() -> None:
    body, notes = sent(ASK, plain_tools=False)

    assert [tool["type"] for tool in body["tools"]] == ["custom", "function"]
    assert body["messages"][1]["tool_calls"][0]["custom"] == {"name": "patch", "input": "raw"}
    assert not notes


def test_a_member_for_functions_gets_no_tool_that_its_provider_would_run() -> None:
    ask = read(tools=[{"type": "web_search"}, {"type": "function", "function": {"name": "f"}}])

    body, notes = sent(ask, plain_tools=True)

    assert [tool["type"] for tool in body["tools"]] == ["function"]
    assert notes[0].startswith("The tool web_search was left out")


def test_the_caller_gets_the_text_itself_as_it_streams() -> None:
    writer = SERVER.writer(ASK, STAMP)
    events = (
        ToolOpened(0, "t", "patch"),
        ArgsDelta(0, '{"inp'),
        ArgsDelta(0, 'ut":"a\\nb'),
        ArgsDelta(0, 'c"}'),
        ToolOpened(1, "u", "f"),
        ArgsDelta(1, '{"input":"x"}'),
        Closed(Finish.TOOL_USE),
    )
    written = [writer.feed(event) for event in events]
    reader = CLIENT.reader(content_type="text/event-stream")
    told = [*reader.feed(b"".join(written)), *reader.end()]

    assert b"inp" not in written[1]
    assert [(event.name, event.custom) for event in told if isinstance(event, ToolOpened)] == [
        ("patch", True),
        ("f", False),
    ]
    first, second = (
        "".join(event.text for event in told if isinstance(event, ArgsDelta) and event.part == part) for part in (0, 1)
    )
    assert (first, second) == ("a\nbc", '{"input":"x"}')


def test_the_caller_gets_the_text_itself_in_a_whole_answer() -> None:
    reply = Reply((ToolCall("t", "patch", '{"input":"raw"}'), ToolCall("u", "f", "{}")), finish=Finish.TOOL_USE)

    message = json.loads(SERVER.writer(ASK, STAMP).whole(reply))["choices"][0]["message"]

    assert [call["type"] for call in message["tool_calls"]] == ["custom", "function"]
    assert message["tool_calls"][0]["custom"] == {"name": "patch", "input": "raw"}
