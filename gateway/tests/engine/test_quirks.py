"""A member's dialect is read from its refusals, one quirk at a time."""

import pytest

from gateway.canon.fault import Broken, Fault, Rejected
from gateway.engine.quirks import QUIRKS, apply_quirk, apply_quirks, quirk_in
from gateway.wire.base import Facts

FACTS = Facts(served="m")


def refused(status: int, message: str = "", body: str = "") -> Rejected:
    return Rejected(message, upstream_status=status, body=body)


@pytest.mark.parametrize("status", [400, 422])
def test_stream_options_are_left_out_first_and_streaming_after_that(status: int) -> None:
    assert quirk_in(FACTS, refused(status, "unknown field `stream_options`")) == "no_stream_options"
    without = apply_quirk(FACTS, "no_stream_options")
    assert (without.stream, without.stream_options) == (True, False)
    assert quirk_in(without, refused(status, body='{"detail": "stream is not supported"}')) == "no_stream"
    plain = apply_quirk(without, "no_stream")
    assert (plain.stream, plain.stream_options) == (False, False)
    assert quirk_in(plain, refused(status, "stream_options, stream")) is None


@pytest.mark.parametrize(
    ("message", "quirk"),
    [
        (
            "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            "completion_tokens_field",
        ),
        ("Unsupported value: 'messages[0].role' does not support 'system' with this model.", "no_system_role"),
        ("System role not supported", "no_system_role"),
        ("Developer instruction is not enabled for models/gemma-3", "no_system_role"),
        ("messages.0.content should be a valid string", "text_only_content"),
        ("Input should be a valid string: content must be a string", "text_only_content"),
        ("tools[0].type: unknown variant `custom`, expected `function` at line 1 column 80", "plain_tools"),
        ("Invalid value: 'custom'. Supported values are: 'function' and 'web_search'.", "plain_tools"),
        ("'tools.0.type' : value is not one of the allowed values ['function']", "plain_tools"),
        ("[{'loc': ('body', 'tools', 0, 'function'), 'msg': 'Field required'}]", "plain_tools"),
        ("Custom tools are not supported with this model.", "plain_tools"),
        (
            "'messages.0' : for 'role:user' the following must be satisfied[('messages.0.content.0.cache_control' : "
            "property 'cache_control' is unsupported)]",
            "no_cache_marks",
        ),
    ],
)
def test_a_complaint_names_its_quirk_once(message: str, quirk: str) -> None:
    assert quirk_in(FACTS, refused(400, message)) == quirk
    assert quirk_in(apply_quirk(FACTS, quirk), refused(400, message)) is None


@pytest.mark.parametrize(
    "fault",
    [
        refused(400, "temperature is too high"),
        refused(500, "stream broke"),
        refused(404, "stream"),
        Broken("stream"),
        refused(400, "the upstream provider refused this"),
        refused(400, "downstream service: bad schema"),
        refused(400, "this model's maximum context length is 8192 tokens"),
        refused(400, "Invalid schema for function 'f': None is not of type 'object'."),
        refused(400, "tools[0].function.parameters: a custom format is not allowed"),
    ],
)
def test_another_complaint_leaves_the_request_as_it_is(fault: Fault) -> None:
    assert quirk_in(FACTS, fault) is None


def test_known_quirks_are_allowed_for_before_the_first_attempt() -> None:
    facts = apply_quirks(FACTS, dict.fromkeys(QUIRKS, True))
    assert (facts.stream, facts.stream_options, facts.system_role, facts.content_lists) == (False, False, False, False)
    assert (facts.completion_tokens_field, facts.plain_tools, facts.reasoning_field) == (
        True,
        True,
        "reasoning_content",
    )
    assert apply_quirks(FACTS, {"no_stream": False, "unheard_of": True}) == FACTS


def test_a_member_may_be_said_to_know_free_text_tools_until_it_refuses_one() -> None:
    assert apply_quirks(FACTS, {"custom_tools": True}).plain_tools is False
    assert apply_quirks(FACTS, {"plain_tools": True, "custom_tools": True}).plain_tools is True
