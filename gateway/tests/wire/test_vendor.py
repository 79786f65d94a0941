"""Tools that only their provider runs are refused where leaving them out would change the request."""

import pytest
from msgspec import Raw

from gateway.canon.ask import Ask, BenchField, Tool, ToolChoice
from gateway.wire.vendor import refuse_vendor_tools

WEB = Tool("web_search", kind="vendor", definition=Raw(b"{}"))
FUNCTION = Tool("f")


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (Ask("anthropic", "m", (), tools=(WEB,)), "you run, or none"),
        (Ask("anthropic", "m", (), tools=(WEB, FUNCTION), tool_choice=ToolChoice("named", "web_search")), "send auto"),
        (Ask("anthropic", "m", (), tools=(WEB, FUNCTION), bench=BenchField(strict=True)), "bench.strict"),
    ],
)
def test_a_request_that_cannot_do_without_them_is_refused(ask: Ask, words: str) -> None:
    refused = refuse_vendor_tools(ask)

    assert refused is not None
    assert refused.status == 400
    assert "web_search" in refused.message
    assert words in refused.message


@pytest.mark.parametrize(
    "ask",
    [
        Ask("anthropic", "m", ()),
        Ask("anthropic", "m", (), tools=(FUNCTION,), bench=BenchField(strict=True)),
        Ask("anthropic", "m", (), tools=(WEB, FUNCTION)),
        Ask("anthropic", "m", (), tools=(WEB, FUNCTION), tool_choice=ToolChoice("named", "f")),
    ],
)
def test_among_other_tools_they_are_not_refused(ask: Ask) -> None:
    assert refuse_vendor_tools(ask) is None
