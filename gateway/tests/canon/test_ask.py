"""What can be read off an ask."""

from typing import Any

from gateway.canon.ask import Ask, Media, Text, Tool, ToolCall, ToolResult, Turn


def ask(*turns: Turn, **more: Any) -> Ask:
    return Ask("openai_chat", "bench/core", turns, **more)


def test_tools_calls_and_results_each_make_an_ask_work_for_one_member() -> None:
    assert not ask(Turn("user", (Text("hi"),))).agentic
    assert ask(tools=(Tool("f"),)).agentic
    assert ask(Turn("assistant", (ToolCall("c", "f", "{}"),))).agentic
    assert ask(Turn("tool", (ToolResult("c"),))).agentic


def test_media_are_found_in_turns_and_in_results_of_tools_in_order() -> None:
    first, second = Media("image", url="http://a/1"), Media("document", file_id="f2")
    found = ask(Turn("user", (Text("look"), first)), Turn("tool", (ToolResult("c", (Text("see"), second)),))).media

    assert found == (first, second)


def test_a_turns_text_joins_its_text_parts_by_a_blank_line() -> None:
    assert Turn("user", (Text("a"), Media("image", url="http://a/1"), Text("b"))).text == "a\n\nb"
