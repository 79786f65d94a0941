"""Tool loops of every SDK through one member of every API: two calls in one reply, their results in the other order, an
answer that quotes both, in one conversation.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import ollama
import pytest

from benchwarmers.tests.live import tool_loops_gemini as by_google
from benchwarmers.tests.live import tool_loops_openai as by_openai
from benchwarmers.tests.live import tool_loops_others as by_others
from benchwarmers.tests.live.product import SQUAD, Product
from benchwarmers.tests.live.tool_sdks import Ear, Loop, Reply, quotes

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
Run = Callable[[Loop], tuple[Reply, Reply]]
Check = Callable[[str, Reply, Reply], None]
LOOPS: dict[str, Run] = {
    "chat": by_openai.chat_whole,
    "chat streamed": by_openai.chat_streamed,
    "chat helper": by_openai.chat_helper,
    "responses": by_openai.responses_whole,
    "responses streamed": by_openai.responses_streamed,
    "responses helper": by_openai.responses_helper,
    "anthropic": by_others.claude_whole,
    "anthropic streamed": by_others.claude_streamed,
    "anthropic runner": by_others.claude_runner,
    "anthropic streaming runner": by_others.claude_streaming_runner,
    "gemini": by_google.gemini_whole,
    "gemini streamed": by_google.gemini_streamed,
    "gemini automatic": by_google.gemini_automatic,
    "gemini automatic streamed": by_google.gemini_automatic_streamed,
    "ollama": by_others.llama_whole,
    "ollama streamed": by_others.llama_streamed,
}
FINISHES = {
    "chat": ("tool_calls", "stop"),
    "responses": ("completed", "completed"),
    "anthropic": ("tool_use", "end_turn"),
    "gemini": ("STOP", "STOP"),
    "ollama": ("stop", "stop"),
}
NO_IDS = ONLY_FLAT = {"ollama"}
"""Whose library has no ids of calls, and sends no properties below the first level of a schema."""
WITHOUT_BENCH = ("chat helper", "anthropic streamed", "anthropic streaming runner")
"""Whose library drops the `bench` object while it gathers a stream. Those of Google and Ollama have no room for it."""


def through_every_member(product: Product, character: str, name: str, run: Run, check_said: Check | None = None) -> str:
    """What went wrong, by the API of the member; all at once."""

    def one(api: str) -> str:
        ear = Ear()
        question = f"Wie wird das Wetter in Zürich und 東京 um 17 Uhr bei 25 Grad? {character} {name} {api}"
        try:
            first, last = run(Loop(product, f"bench/{character}-{api}:route", question, ear))
            if check_said is None:
                check(name, question, first, last)
            else:
                check_said(question, first, last)
            check_headers(f"{api}-{character}", ear)
            if character == "keeper":
                check_thoughts(first)
        except Exception:
            return f"{api}: {traceback.format_exc()[-900:]}"
        return ""

    with ThreadPoolExecutor(len(SQUAD)) as pool:
        return "\n".join(wrong for wrong in pool.map(one, SQUAD) if wrong)


def check(name: str, question: str, first: Reply, last: Reply) -> None:
    way = name.split()[0]
    assert [call.name for call in first.calls] == ["weather", "clock"]
    place = {} if way in ONLY_FLAT else {"city": question, "at": [17, 25]}
    unit = {} if "automatic" in name else {"unit": "°C"}
    assert first.calls[0].arguments == {"place": place, **unit}
    assert first.calls[1].arguments == {"zone": question}
    if way not in NO_IDS:
        ids = {call.id for call in first.calls}
        assert len(ids) == 2
        assert all(ids)
    assert (first.finish, last.finish) == FINISHES[way]
    assert quotes(last.text, first.calls), last.text
    assert not first.text.strip()
    assert not last.calls
    assert all(tokens > 0 for reply in (first, last) for tokens in reply.tokens)
    has_bench = way not in ("gemini", "ollama") and name not in WITHOUT_BENCH
    assert (first.turn, last.turn) == ((1, 2) if has_bench else (None, None))


def check_headers(alias: str, ear: Ear) -> None:
    conversations = [one["x-bench-conversation"] for one in ear.heard]
    assert len(conversations) == 2
    assert len(set(conversations)) == 1
    assert {one.get("x-bench-model") for one in ear.heard} == {alias}


def check_thoughts(first: Reply) -> None:
    assert "begins with “Wie wird das Wetter" in first.thoughts
    assert first.thoughts.count("begins with") == 1


@pytest.mark.parametrize("name", LOOPS)
def test_a_tool_loop_goes_through_a_member_of_every_api(product: Product, name: str) -> None:
    wrong = through_every_member(product, "handy", name, LOOPS[name])
    assert not wrong, wrong


@pytest.mark.parametrize("name", [name for name in LOOPS if not name.startswith("ollama")])
def test_thoughts_are_shown_and_their_seals_come_back_as_they_were(product: Product, name: str) -> None:
    wrong = through_every_member(product, "keeper", name, LOOPS[name])
    assert not wrong, wrong


@pytest.mark.parametrize("run", [by_openai.responses_custom, by_openai.responses_custom_helper])
@pytest.mark.parametrize("character", ["handy", "keeper"])
def test_a_tool_of_free_text_is_called_beside_a_function(product: Product, character: str, run: Run) -> None:
    def check_free_text(question: str, first: Reply, last: Reply) -> None:
        assert [(call.name, call.arguments) for call in first.calls] == [
            ("clock", {"zone": question}),
            ("patch", question),
        ]
        assert (first.finish, last.finish) == ("completed", "completed")
        assert quotes(last.text, first.calls), last.text
        assert (first.turn, last.turn) == (1, 2)

    wrong = through_every_member(product, character, run.__name__, run, check_free_text)
    assert not wrong, wrong


def test_a_refusal_for_the_lack_of_seals_is_told_to_those_whose_library_drops_them(product: Product) -> None:
    loop = Loop(product, "bench/keeper-anthropic:route", "What is the weather, without seals?", Ear())
    with pytest.raises(ollama.ResponseError, match="did not come back with their seal"):
        by_others.llama_whole(loop)
