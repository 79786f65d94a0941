"""Thoughts in tags become reasoning, wherever the text is cut."""

import pytest

from gateway.canon.event import Closed, Event, TextDelta, ThoughtDelta, Usage
from gateway.canon.reply import fold
from gateway.wire.think_tags import ThinkTags


def read(*pieces: str) -> tuple[str, str]:
    tags = ThinkTags()
    events: list[Event] = []
    told: list[Event] = [*(TextDelta(piece) for piece in pieces), Usage(1, 2), Closed()]
    for event in told:
        events += tags.feed([event])
    assert events[-1] == Closed()
    reply = fold(events)
    return reply.reasoning, reply.text


@pytest.mark.parametrize(
    ("text", "thought", "answer"),
    [
        ("<think>hm, 北</think>\n\nyes <b>", "hm, 北", "yes <b>"),
        ("  <think>a</think>b", "a", "b"),
        ("no tags at all", "", "no tags at all"),
        ("not first <think>a</think>", "", "not first <think>a</think>"),
        ("<think>never closed </thin", "never closed </thin", ""),
        ("<thi", "", "<thi"),
        ("<think></think>x", "", "x"),
        ("", "", ""),
    ],
)
def test_any_cut_gives_the_same(text: str, thought: str, answer: str) -> None:
    assert read(text) == (thought, answer)
    for cut in range(len(text) + 1):
        assert read(text[:cut], text[cut:]) == (thought, answer), cut
    assert read(*text) == (thought, answer)


def test_reasoning_that_came_in_its_own_field_is_left_alone() -> None:
    events = list(ThinkTags().feed([ThoughtDelta("own"), TextDelta("answer"), Closed()]))
    assert fold(events).reasoning == "own"
    assert fold(events).text == "answer"
