"""A whole answer is the fold of its events, and unfolds into events again."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from gateway.canon.ask import Refusal, Text, Thought, ToolCall
from gateway.canon.event import (
    ArgsDelta,
    Closed,
    Failed,
    Finish,
    Note,
    Opened,
    TextDelta,
    ThoughtDelta,
    ToolOpened,
    Usage,
)
from gateway.canon.fault import Broken
from gateway.canon.reply import Reply, fold, unfold

words = st.text(min_size=1, max_size=20)
seals = st.none() | st.just(Raw(b'{"k":1}'))
parts = st.one_of(
    st.builds(Text, words),
    st.builds(Refusal, words),
    st.builds(Thought, words, seals),
    st.builds(ToolCall, words, words, st.text(max_size=20), st.booleans(), seals),
)
replies = st.builds(
    Reply,
    parts=st.lists(parts, max_size=5).map(tuple),
    model=words,
    id=words,
    usage=st.none() | st.builds(Usage, *[st.integers(0, 9)] * 5),
    finish=st.sampled_from(Finish),
    native=words,
    sequence=words,
    notes=st.lists(st.builds(Note, words, words), max_size=2).map(tuple),
    bench=seals,
    choices=st.lists(words, max_size=3).map(tuple),
)


@given(replies)
def test_a_reply_unfolds_into_events_that_fold_back_into_it(reply: Reply) -> None:
    assert fold(unfold(reply)) == reply


def test_a_failed_reply_keeps_its_fault_and_what_had_come_before() -> None:
    reply = Reply(parts=(Text("half"),), fault=Broken("cut"))

    assert fold(unfold(reply)) == reply
    assert reply.finish is None


def test_a_reply_that_is_not_over_unfolds_into_what_there_is() -> None:
    reply = Reply(parts=(Text("so far"),))

    assert list(unfold(reply)) == [TextDelta("so far")]


def test_parts_keep_the_order_in_which_they_first_appeared_however_their_pieces_mix() -> None:
    reply = fold(
        [
            ToolOpened(3, "c1", "alpha"),
            TextDelta("Hel", 1),
            ArgsDelta(3, '{"a":'),
            ThoughtDelta("hm", 2),
            TextDelta("lo", 1),
            ArgsDelta(3, "1}"),
        ]
    )

    assert reply.parts == (ToolCall("c1", "alpha", '{"a":1}'), Text("Hello"), Thought("hm"))


def test_the_last_usage_wins_and_a_thought_takes_the_seal_that_came_at_its_end() -> None:
    reply = fold([Usage(1, 1), ThoughtDelta("a"), ThoughtDelta("", 0, Raw(b"1")), Usage(2, 5), Closed()])

    assert reply.usage == Usage(2, 5)
    assert reply.parts == (Thought("a", Raw(b"1")),)


def test_empty_pieces_make_no_parts_and_arguments_without_a_call_are_not_one() -> None:
    assert fold([TextDelta(""), TextDelta("", refusal=True), ThoughtDelta(""), ArgsDelta(7, "{}")]).parts == ()


def test_text_reasoning_refusal_and_calls_are_read_off_the_parts() -> None:
    call = ToolCall("c", "f", "{}")
    reply = Reply((Thought("why"), Text("yes, "), Refusal("but no"), call))

    assert (reply.text, reply.reasoning, reply.refusal, reply.calls) == ("yes, but no", "why", "but no", (call,))


def test_answers_side_by_side_are_kept_apart() -> None:
    reply = fold([TextDelta("first"), TextDelta("se", choice=2), TextDelta("cond", choice=2), Opened("m", "i")])

    assert reply.text == "first"
    assert reply.choices == ("", "second")


def test_usages_add_up() -> None:
    assert Usage(1, 2, 3, 4, 5) + Usage(10, 20, 30, 40, 50) == Usage(11, 22, 33, 44, 55)


def test_a_failure_event_ends_a_fold_with_its_fault() -> None:
    assert fold([TextDelta("x"), Failed(Broken("no"))]).fault == Broken("no")
