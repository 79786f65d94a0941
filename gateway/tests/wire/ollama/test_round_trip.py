"""An ask that goes out and is read again is the same, and so is an answer, as far as this API can say it.

What it cannot say is left out of what is made here: addresses, sounds and documents; cache marks; participants' names;
where among the words a picture stood; tool choices; names, strictness and descriptions of output formats; reasoning
budgets; refusals as such; free-text tools; counts of cached tokens and reasoning; the order of calls and words.
"""

import json

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw
from msgspec.structs import replace

from gateway.canon.ask import Ask, Knobs, Media, OutputFormat, Text, Thought, Tool, ToolCall, ToolResult, Turn
from gateway.canon.event import ArgsDelta, Event, Finish, TextDelta, ThoughtDelta, ToolOpened, Usage
from gateway.canon.reply import Reply, ReplyPart, fold, unfold
from gateway.tests.wire.ollama.asking import PNG
from gateway.tests.wire.ollama.streams import events_of, read, write, writer
from gateway.wire.base import Facts
from gateway.wire.ollama import CLIENT, SERVER

words = st.text(min_size=1, max_size=12)
raws = st.sampled_from([Raw(b'{"type":"object"}'), Raw(b"[1]"), Raw(b'"x"')])
arguments = st.sampled_from(['{"a":1}', '{"b":[1.0,"\u5317"],"c":{"d":null}}', "{}"])
extras = st.dictionaries(st.sampled_from(["mood", "annotations"]), raws, max_size=2)
pictures = st.lists(st.just(Media("image", data=PNG, mime="image/png")), max_size=2)
own_seals = st.none() | st.just(Raw(b'{"ollama":"sealed"}'))

users = st.builds(
    lambda said, shown, more: Turn("user", (*said, *shown), extras=more),
    st.lists(st.builds(Text, words), max_size=1),
    pictures,
    extras,
)
systems = st.builds(lambda text: Turn("system", (Text(text),)), words)


@st.composite
def exchanges(draw: st.DrawFn, number: int) -> list[Turn]:
    """An answer of the model, and what its calls gave back. Ids are the request's own."""
    made = [
        ToolCall(f"id-{number}-{at}", draw(words), draw(arguments), seal=None) for at in range(draw(st.integers(0, 3)))
    ]
    thoughts = draw(st.lists(st.builds(Thought, words), max_size=1))
    said = draw(st.lists(st.builds(Text, words), max_size=1))
    results = [
        Turn("tool", (ToolResult(call.id, (Text(draw(words)),), name=call.name),), extras=draw(extras))
        for call in draw(st.permutations(made))
    ]
    return [Turn("assistant", (*thoughts, *said, *made), extras=draw(extras)), *results]


@st.composite
def asks(draw: st.DrawFn) -> Ask:
    turns = draw(st.lists(systems | users, min_size=1, max_size=2))
    for number in range(draw(st.integers(0, 2))):
        turns += [*draw(exchanges(number)), draw(users)]
    floats = st.none() | st.floats(0, 2)
    return Ask(
        "ollama",
        "served/m",
        tuple(turns),
        stream=True,
        include_usage=True,
        tools=tuple(
            draw(
                st.lists(
                    st.builds(
                        Tool,
                        words,
                        words,
                        st.none() | raws,
                        st.none() | st.booleans(),
                        extras=st.just({"x": Raw(b"1")}),
                    ),
                    max_size=2,
                )
            )
        ),
        output=draw(
            st.sampled_from([None, OutputFormat("json_object"), OutputFormat("json_schema", schema=Raw(b'{"a":1}'))])
        ),
        knobs=Knobs(
            draw(st.none() | st.integers(1, 1_000)),
            draw(floats),
            draw(floats),
            draw(st.none() | st.integers(1, 9)),
            tuple(draw(st.lists(words, max_size=2))),
            draw(st.none() | st.integers(0, 99)),
            draw(floats),
            draw(floats),
            draw(st.sampled_from(["", "none", "low", "medium", "high", "max"])),
        ),
        extras=draw(
            st.dictionaries(st.sampled_from(["keep_alive", "truncate"]), raws, max_size=2)
            | st.just({"options": Raw(b'{"min_p":0.1}')})
        ),
    )


@given(asks())
def test_an_ask_that_goes_out_and_is_read_again_is_the_same(ask: Ask) -> None:
    outgoing = CLIENT.write_ask(ask, Facts("served/m"))

    assert SERVER.read_ask(outgoing.body) == ask
    assert outgoing.notes == ()


@given(asks())
def test_every_ask_can_be_written_for_the_plainest_member(ask: Ask) -> None:
    facts = Facts("m", stream=False, system_role=False, content_lists=False, max_output=5)

    SERVER.read_ask(CLIENT.write_ask(replace(ask, protocol="anthropic"), facts).body)


@st.composite
def replies(draw: st.DrawFn) -> Reply:
    parts: list[ReplyPart] = [Thought(text) for text in draw(st.lists(words, max_size=1))]
    parts += [Text(text) for text in draw(st.lists(words, max_size=1))]
    made = [ToolCall(f"id-{at}", draw(words), draw(arguments)) for at in range(draw(st.integers(0, 3)))]
    finish = draw(st.sampled_from(Finish))
    if made:
        finish = Finish.TOOL_USE if finish in (Finish.STOP, Finish.STOP_SEQUENCE) else finish
    elif finish is Finish.TOOL_USE:
        finish = Finish.STOP
    sequence = draw(words) if finish is Finish.STOP_SEQUENCE else ""
    native = draw(st.sampled_from(["", "end_turn", "STOP"]))
    word = {Finish.STOP_SEQUENCE: "stop", Finish.TOOL_USE: "stop"}.get(finish, str(finish))
    return Reply(
        parts=(*parts, *made),
        model="bench/core",
        usage=draw(st.builds(Usage, st.integers(0, 9), st.integers(0, 9))),
        finish=finish,
        native=native or word,
        sequence=sequence,
    )


@given(replies(), st.lists(st.integers(0, 3_000), max_size=5))
def test_what_is_written_is_read_back_streamed_and_whole(reply: Reply, cuts: list[int]) -> None:
    stream = write(unfold(reply))

    assert read(stream, *(cut for cut in cuts if cut < len(stream))) == reply
    assert read(writer().whole(reply)) == reply


@given(st.lists(words, min_size=1, max_size=5), words)
def test_generate_is_read_back_event_by_event(pieces: list[str], thought: str) -> None:
    events: list[Event] = [ThoughtDelta(thought, 0), *(TextDelta(text, 1) for text in pieces)]
    closing = list(unfold(Reply(usage=Usage(1, 2), finish=Finish.STOP, native="stop")))
    got = events_of(write([*events, *closing], generate=True))

    assert got[1:] == [*events, *closing]


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=8), st.data())
def test_interleaved_calls_survive_writing_and_reading(order: list[str], data: st.DataObject) -> None:
    opened: dict[str, int] = {}
    pieces: dict[str, list[str]] = {
        name: ['{"x":"', *data.draw(st.lists(st.sampled_from(["a", "\u5317"])))] for name in order
    }
    events: list[Event] = []
    for name in order:
        if name not in opened:
            opened[name] = len(opened)
            events.append(ToolOpened(opened[name], f"id-{name}", name))
        if pieces[name]:
            events.append(ArgsDelta(opened[name], pieces[name].pop(0)))
    for name, part in opened.items():
        events.append(ArgsDelta(part, "".join(pieces[name]) + '"}'))
    events.extend(unfold(Reply(finish=Finish.TOOL_USE, native="stop")))

    assert read(write(events)).calls == fold(events).calls


@given(words, st.sampled_from([Raw(b'{"anthropic":{"signature":"s"}}'), Raw(b'"sig"')]))
def test_a_seal_that_a_caller_sends_back_is_the_one_it_got(text: str, seal: Raw) -> None:
    thought, call = Thought(text, seal), ToolCall("t", "f", "{}", seal=seal)
    message = json.loads(writer().whole(Reply((thought, call))))["message"]
    body = json.dumps({"messages": [message]}, separators=(",", ":")).encode()

    assert SERVER.read_ask(body).turns[0].parts == (thought, call)
