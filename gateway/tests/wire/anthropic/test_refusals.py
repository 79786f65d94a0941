"""Requests of callers that speak Messages and do not speak it well."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.canon.fault import BadRequest
from gateway.tests.wire.anthropic.asking import CALL, PNG, RESULT, TOOL, body, refusal
from gateway.wire.anthropic import SERVER


def _in(role: str, block: Any) -> dict[str, Any]:
    return {"messages": [{"role": role, "content": [block]}]}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"messages": None}, "`messages` must be a list"),
        ({"messages": []}, "`messages` must be a list"),
        ({"messages": "hi"}, "`messages` must be a list, not text"),
        ({"messages": ["hi"]}, "`messages[0]` must be an object, not text"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "Send user or assistant"),
        ({"messages": [{"content": "x"}]}, "`messages[0].role`"),
        ({"messages": [{"role": "user"}]}, "has no `content`"),
        ({"messages": [{"role": "user", "content": 3}]}, "`messages[0].content`"),
        ({"messages": [{"role": 3, "content": "x"}]}, "`messages[0].role`"),
        (_in("user", "x"), "`messages[0].content[0]` must be an object"),
        (_in("user", {}), "has no `type`"),
        (_in("user", {"type": "text"}), "has no `text`"),
        (_in("user", {"type": "text", "text": 3}), "must be text, not a whole number"),
        (_in("user", {"type": "image_url", "image_url": {"url": "u"}}), "an image is"),
        (_in("user", {"type": "input_text", "text": "x"}), "text is"),
        (_in("user", {"type": "file"}), "a file is"),
        (_in("assistant", {"type": "output_text", "text": "x"}), "text is"),
        (_in("user", {"type": "container_upload", "file_id": "x"}), "cannot be passed on"),
        (_in("user", {"type": "hologram"}), "blocks are of type"),
        (_in("user", CALL), "only a message with the role assistant"),
        (_in("assistant", RESULT), "only a message with the role user"),
        (_in("user", {"type": "thinking", "thinking": "x"}), "only a message with the role assistant"),
        (_in("assistant", {"type": "image", "source": PNG}), "only a message with the role user"),
        (_in("assistant", {**CALL, "id": None}), "needs an `id`"),
        (_in("assistant", {**CALL, "name": ""}), "needs an `id` and a `name`"),
        (_in("assistant", {**CALL, "input": "x"}), "must be an object"),
        (_in("user", {**RESULT, "tool_use_id": None}), "has no `tool_use_id`"),
        (_in("user", {**RESULT, "content": 3}), "`messages[0].content[0].content`"),
        (_in("user", {**RESULT, "content": [CALL]}), "holds text, images and documents"),
        (_in("user", {**RESULT, "is_error": "no"}), "must be true or false"),
        (_in("user", {"type": "image"}), "without a usable source"),
        (_in("user", {"type": "image", "source": "x"}), "without a usable source"),
        (_in("user", {"type": "image", "source": {"type": "base64", "data": ""}}), "without a usable source"),
        (_in("user", {"type": "image", "source": {**PNG, "media_type": "application/pdf"}}), "not an image"),
        (_in("user", {"type": "image", "source": {"type": "base64", "data": "AAAA"}}), "of type unknown"),
        (_in("user", {"type": "image", "source": {"type": "file", "file_id": "x"}}), "stored at a provider"),
        (_in("user", {"type": "image", "source": {"type": "url", "url": "file:///etc/passwd"}}), "http or https"),
        (_in("user", {"type": "document", "source": {"type": "url", "url": "/etc/passwd"}}), "http or https"),
        (_in("user", {"type": "document", "source": {"type": "content", "content": []}}), "text and image blocks"),
        (_in("user", {"type": "document"}), "without a usable source"),
        ({"system": [{"type": "image", "source": PNG}]}, "instructions are text only"),
        ({"system": 3}, "`system`"),
        ({"tools": [{}]}, "has no name"),
        ({"tools": {}}, "`tools` must be a list"),
        ({"tools": [{"name": "f", "input_schema": "x"}]}, "must be an object"),
        ({"tool_choice": "auto"}, "`tool_choice` must be an object"),
        ({"tool_choice": {"type": "required"}}, "Send auto, any, tool or none"),
        ({"tools": [TOOL], "tool_choice": {"type": "tool", "name": "g"}}, "not among `tools`"),
        ({"max_tokens": 0}, "`max_tokens` must be at least 1"),
        ({"max_tokens": -1}, "`max_tokens` must be at least 1"),
        ({"max_tokens": "9"}, "`max_tokens` must be a whole number, not text"),
        ({"temperature": "hot"}, "`temperature` must be a number"),
        ({"stop_sequences": "END"}, "`stop_sequences` must be a list"),
        ({"thinking": True}, "`thinking` must be an object"),
        ({"thinking": {"type": "enabled", "budget_tokens": 0}}, "`thinking.budget_tokens`"),
        ({"output_config": []}, "`output_config` must be an object"),
        ({"output_config": {"effort": 3}}, "`output_config.effort` must be text"),
        ({"output_config": {"format": {"type": "xml"}}}, "json_schema"),
        ({"bench": {"reply": "loud"}}, "all, merged, route or choices"),
        ({"with": "alpha"}, "`with` must be a list"),
    ],
)
def test_misfits_are_refused_with_what_is_right(fields: dict[str, Any], words: str) -> None:
    message = refusal(**fields)

    assert words in message
    assert message.endswith(".")


@pytest.mark.parametrize("sent", [b"", b"null", b"[]", b"{", b'"x"', b"\xff", b"[" * 100_000])
def test_a_body_that_is_no_object_is_refused(sent: bytes) -> None:
    with pytest.raises(BadRequest):
        SERVER.read_ask(sent)


_NAMES = ["type", "text", "source", "content", "role", "data", "url", "name", "id", "input", "tool_use_id", "thinking"]
_KINDS = ["text", "image", "document", "tool_use", "tool_result", "thinking", "search_result", "base64", "url"]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(_NAMES), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.dictionaries(st.sampled_from(_NAMES), json_values | st.sampled_from(_KINDS), max_size=5),
    st.sampled_from(["user", "assistant", "system"]),
)
def test_no_block_is_answered_with_anything_but_an_ask_or_a_refusal(block: dict[str, Any], role: str) -> None:
    with suppress(BadRequest):
        SERVER.read_ask(body(messages=[{"role": role, "content": [block]}], tools=[block]))
