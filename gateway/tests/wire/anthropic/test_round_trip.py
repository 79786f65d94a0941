"""An ask that goes out and is read again is the same, and so is an answer."""

from typing import Literal

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw
from msgspec.structs import replace

from gateway.canon.ask import (
    Ask,
    Knobs,
    Media,
    OutputFormat,
    Text,
    Thought,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Turn,
)
from gateway.canon.event import (
    ArgsDelta,
    Closed,
    Event,
    Finish,
    Opened,
    TextDelta,
    ThoughtDelta,
    ToolOpened,
    Usage,
)
from gateway.canon.reply import Reply, fold, unfold
from gateway.tests.wire.anthropic.streams import STAMP, events_of, read, write, writer
from gateway.wire.anthropic import CLIENT, SERVER
from gateway.wire.base import Facts

Mode = Literal["auto", "none", "required", "named"]
words = st.text(min_size=1, max_size=12).filter(str.strip)
ids = st.text("abcXYZ019_-", min_size=1, max_size=9)
objects = st.sampled_from(['{"a":1}', '{"b":[2],"c":"ü🌍"}', "{}"])
schemas = st.sampled_from([Raw(b'{"type":"object"}'), Raw(b'{"type":"object","properties":{"a":{}}}')])
raws = st.sampled_from([Raw(b'{"x":1}'), Raw(b"[1]"), Raw(b'"x"')])
marks = st.none() | st.just(Raw(b'{"type":"ephemeral"}'))
seals = st.sampled_from(
    [
        Raw(b'{"anthropic":{"type":"thinking","signature":"c2ln"}}'),
        Raw(b'{"anthropic":{"type":"thinking","signature":"\\u00e9=","x":1}}'),
    ]
)
redacted = st.just(Thought("", Raw(b'{"anthropic":{"type":"redacted_thinking","data":"b64"}}')))
call_seals = st.none() | st.just(Raw(b'{"anthropic":{"caller":{"type":"x"}}}'))
texts = st.builds(Text, words, marks)
thoughts = st.builds(Thought, st.just("") | words, seals) | redacted
calls = st.builds(ToolCall, ids, words, objects, seal=call_seals, cache=marks)
media = st.one_of(
    st.builds(Media, st.just("image"), url=st.just("https://h/a"), cache=marks),
    st.builds(Media, st.just("image"), data=st.just("AAAA"), mime=st.just("image/png")),
    st.builds(Media, st.just("document"), data=st.just("JVBERi0"), mime=st.just("application/pdf"), name=words),
    st.builds(Media, st.just("document"), data=st.just("Z3LDvG4="), mime=st.just("text/plain")),
    st.builds(Media, st.just("document"), url=st.just("https://h/a"), name=words),
    st.builds(Media, st.just("document"), file_id=ids, cache=marks),
)
results = st.builds(ToolResult, ids, st.lists(texts | media, max_size=2).map(tuple), st.booleans(), cache=marks)
users = st.builds(
    lambda first, rest: Turn("user", (*first, *rest)),
    st.lists(results, max_size=2),
    st.lists(texts | media, min_size=1, max_size=2),
)
assistants = st.builds(
    lambda parts, last: Turn("assistant", (*parts, last)), st.lists(thoughts | texts | calls, max_size=3), calls
)
tools = st.one_of(
    st.builds(
        Tool,
        words,
        st.just("") | words,
        schemas,
        st.none() | st.booleans(),
        cache=marks,
        extras=st.dictionaries(st.just("defer_loading"), st.just(Raw(b"true"))),
    ),
    st.just(Tool("web_search", kind="vendor", definition=Raw(b'{"type":"web_search_1","name":"web_search"}'))),
)


@st.composite
def conversations(draw: st.DrawFn) -> tuple[Turn, ...]:
    """In the order that this API has: instructions, then the user and the assistant by turns, the user first."""
    instructions = draw(st.lists(texts, max_size=2))
    turns = [Turn("system", tuple(instructions))] if instructions else []
    for at in range(draw(st.integers(1, 4))):
        turns.append(draw(assistants if at % 2 else users))
    return tuple(turns)


@st.composite
def asks(draw: st.DrawFn) -> Ask:
    """What this API can say. Left out, because it cannot: names of participants and of results, refusals, sounds, the
    details of pictures, free-text tools, seeds and penalties, JSON without a schema, the name of a schema."""
    offered = tuple(draw(st.lists(tools, max_size=3, unique_by=lambda tool: tool.name)))
    modes: list[Mode] = ["auto", "none", "required", "named"] if offered else ["auto"]
    mode = draw(st.sampled_from(modes))
    name = draw(st.sampled_from(offered)).name if mode == "named" else ""
    parallel = draw(st.none() | st.booleans()) if offered and mode != "none" else None
    floats = st.none() | st.floats(0, 1)
    limit = draw(st.integers(2_000, 9_000))
    more = st.dictionaries(st.sampled_from(["metadata", "context_management", "service_tier"]), raws, max_size=2)
    return Ask(
        "anthropic",
        "served/m",
        draw(conversations()),
        stream=True,
        tools=offered,
        tool_choice=ToolChoice(mode, name, parallel),
        output=draw(st.none() | st.builds(OutputFormat, st.just("json_schema"), schema=schemas)),
        knobs=Knobs(
            limit,
            draw(floats),
            draw(floats),
            draw(st.none() | st.integers(1, 9)),
            tuple(draw(st.lists(words, max_size=2))),
            reasoning_effort=draw(st.sampled_from(["", "low", "high", "max"])),
            reasoning_tokens=draw(st.none() | st.integers(1_024, 1_999)),
        ),
        extras=draw(more),
    )


@given(asks())
def test_an_ask_that_goes_out_and_is_read_again_is_the_same(ask: Ask) -> None:
    outgoing = CLIENT.write_ask(ask, Facts("served/m"))

    assert SERVER.read_ask(outgoing.body) == ask
    assert outgoing.notes == ()


@given(asks())
def test_every_ask_of_another_api_can_be_written_for_the_plainest_member(ask: Ask) -> None:
    facts = Facts("m", stream=False, system_role=False, max_output=5)

    SERVER.read_ask(CLIENT.write_ask(replace(ask, protocol="openai_chat"), facts).body)


# --- answers ----------------------------------------------------------------------------------------------------------

ENDS = st.sampled_from(
    [
        Closed(Finish.LENGTH, "max_tokens"),
        Closed(Finish.LENGTH, "model_context_window_exceeded"),
        Closed(Finish.REFUSAL, "refusal"),
        Closed(Finish.STOP, "pause_turn"),
        Closed(Finish.STOP_SEQUENCE, "stop_sequence", "END"),
    ]
)
pieces = st.lists(words, min_size=1, max_size=3)
usages = st.builds(
    lambda fresh, output, read, written, thought: Usage(
        fresh + read + written, output + thought, read, written, thought
    ),
    *[st.integers(1, 99)] * 5,
)


@st.composite
def answers(draw: st.DrawFn) -> list[Event]:
    """Events of an answer in the order that this API has, one part after another. Usage is there: this API has no
    message without it."""
    usage = draw(usages)
    events: list[Event] = [Usage(usage.input, 0, usage.cached, usage.cache_write)]
    called = False
    for part in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["text", "thought", "redacted", "call"]))
        if kind == "text":
            events += [TextDelta(text, part) for text in draw(pieces)]
        elif kind == "thought":
            events += [ThoughtDelta(text, part) for text in draw(pieces)]
            events += [ThoughtDelta("", part, Raw(b'{"anthropic":{"type":"thinking","signature":"c2ln"}}'))]
        elif kind == "redacted":
            events.append(ThoughtDelta("", part, draw(redacted).seal))
        else:
            called = True
            events.append(ToolOpened(part, f"t{part}", draw(words), seal=draw(call_seals)))
            text = draw(objects)
            cut = draw(st.integers(0, len(text)))
            events += [ArgsDelta(part, piece) for piece in (text[:cut], text[cut:]) if piece]
    return [*events, usage, Closed(Finish.TOOL_USE, "tool_use") if called else draw(ENDS)]


@given(answers())
def test_an_answer_that_is_written_and_read_again_is_the_same(events: list[Event]) -> None:
    opened = Opened(STAMP.model, STAMP.id)

    assert events_of(write(events)) == [opened, *events]
    assert read(writer().whole(fold(events))) == fold([opened, *events])


@given(answers())
def test_a_whole_answer_unfolds_into_a_stream_that_says_the_same(events: list[Event]) -> None:
    reply: Reply = replace(fold(events), id=STAMP.id, model=STAMP.model)

    assert read(write(unfold(reply))) == reply
