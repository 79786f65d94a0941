"""An ask that goes out and is read again is the same, and so is an answer."""

from typing import Any, Literal

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
from gateway.canon.event import ArgsDelta, Closed, Event, Finish, TextDelta, ThoughtDelta, ToolOpened, Usage
from gateway.canon.reply import Reply, ReplyPart, fold, unfold
from gateway.tests.wire.gemini.streams import STAMP, read, write, writer
from gateway.wire.base import Facts
from gateway.wire.gemini import CLIENT, SERVER, read_path

Mode = Literal["auto", "none", "required", "named"]
words = st.text(min_size=1, max_size=12)
ids = st.text("abcXYZ019_-", min_size=1, max_size=9)
objects = st.sampled_from(['{"a":1.50}', '{"some_key":[2],"c":"ü🌍"}', "{}"])
schemas = st.sampled_from(
    [
        Raw(b'{"type":"object","properties":{"type":{"type":["string","null"]}}}'),
        Raw(b'{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}'),
    ]
)
raws = st.sampled_from([Raw(b'{"some_key":1}'), Raw(b"[1]"), Raw(b'"x"')])
call_seals = st.none() | st.just(Raw(b'{"gemini":{"signature":"Y2Fs+/=="}}'))
calls = st.builds(ToolCall, ids, words, objects, seal=call_seals)
sealed = st.builds(Thought, words, st.just(Raw(b'{"gemini":{"signature":"c2ln"}}')))
opaque = st.sampled_from(
    [
        Thought("", Raw(b'{"gemini":{"part":{"text":"","thoughtSignature":"c2ln"}}}')),
        Thought("", Raw(b'{"gemini":{"part":{"toolCall":{"n":1.50}}}}')),
    ]
)
media = st.one_of(
    st.builds(Media, st.just("image"), url=st.just("https://h/a"), mime=st.just("image/png")),
    st.builds(Media, st.just("image"), data=st.just("AAAA"), mime=st.just("image/png")),
    st.builds(Media, st.just("audio"), data=st.just("BBBB"), mime=st.just("audio/mpeg")),
    st.builds(Media, st.just("document"), data=st.just("CC"), mime=st.just("application/pdf"), name=words),
)
tools = st.one_of(
    st.builds(
        Tool,
        words,
        st.just("") | words,
        st.none() | schemas,
        extras=st.dictionaries(st.just("behavior"), st.just(Raw(b'"BLOCKING"'))),
    ),
    st.just(Tool("googleSearch", kind="vendor", definition=Raw(b'{"googleSearch":{"a":1}}'))),
)
floats = st.none() | st.floats(0, 2)


@st.composite
def conversations(draw: st.DrawFn) -> tuple[Turn, ...]:
    """In the order that this API has: instructions, then the user and the model by turns, the user first, with the
    results of every call before the next words."""
    texts = st.builds(Text, words)
    instructions = draw(st.lists(texts, max_size=2))
    turns = [Turn("system", tuple(instructions))] if instructions else []
    made: list[ToolCall] = []
    for _ in range(draw(st.integers(1, 3))):
        if made:
            done = st.lists(texts, max_size=1).map(tuple)
            turns.append(Turn("tool", tuple(ToolResult(c.id, draw(done), draw(st.booleans()), c.name) for c in made)))
        turns.append(Turn("user", tuple(draw(st.lists(texts | media, min_size=1, max_size=3)))))
        said = draw(st.lists(texts | sealed | opaque | calls, min_size=1, max_size=4))
        made = list({part.id: part for part in said if isinstance(part, ToolCall)}.values())
        turns.append(Turn("assistant", tuple(part for part in said if not isinstance(part, ToolCall) or part in made)))
    return tuple(turns)


@st.composite
def asks(draw: st.DrawFn) -> Ask:
    """What this API can say. Left out, because it cannot: names of participants, developers, refusals, cache marks,
    files stored at providers, the details of pictures, free-text and strict tools, parallel calls, more than five stop
    sequences, several texts in one result, results that are JSON objects of their own, the names of schemas."""
    offered = tuple(draw(st.lists(tools, max_size=3, unique_by=lambda tool: tool.name)))
    offered = tuple(sorted(offered, key=lambda tool: tool.kind == "vendor"))
    modes: list[Mode] = ["auto", "none", "required", "named"] if offered else ["auto"]
    mode = draw(st.sampled_from(modes))
    name = draw(st.sampled_from(offered)).name if mode == "named" else ""
    more = st.sampled_from(["safetySettings", "generationConfig.speechConfig", "toolConfig.retrievalConfig"])
    schema = st.builds(OutputFormat, st.just("json_schema"), schema=schemas)
    return Ask(
        "gemini",
        "served-m",
        draw(conversations()),
        stream=True,
        include_usage=True,
        tools=offered,
        tool_choice=ToolChoice(mode, name),
        output=draw(st.none() | st.just(OutputFormat("json_object")) | schema),
        knobs=Knobs(
            draw(st.none() | st.integers(1, 9_000)),
            draw(floats),
            draw(floats),
            draw(st.none() | st.integers(1, 99)),
            tuple(draw(st.lists(words, max_size=5))),
            draw(st.none() | st.integers(-9, 9)),
            draw(floats),
            draw(floats),
            draw(st.sampled_from(["", "minimal", "low", "medium", "high"])),
            draw(st.none() | st.integers(1, 999)),
        ),
        extras=draw(st.dictionaries(more, raws, max_size=2)),
    )


@given(asks())
def test_an_ask_that_goes_out_and_is_read_again_is_the_same(ask: Ask) -> None:
    outgoing = CLIENT.write_ask(ask, Facts("served-m"))
    path, _, query = outgoing.path.partition("?")

    assert read_path(path) == ("served-m", "streamGenerateContent")
    assert SERVER.read_ask(outgoing.body, path, query) == ask
    assert outgoing.notes == ()


@given(asks())
def test_every_ask_of_another_api_can_be_written_for_the_plainest_member(ask: Ask) -> None:
    facts = Facts("gemini-3-pro", stream=False, system_role=False, max_output=5)

    SERVER.read_ask(CLIENT.write_ask(replace(ask, protocol="openai_chat"), facts).body)


# --- answers ----------------------------------------------------------------------------------------------------------

ENDS = st.sampled_from(
    [
        Closed(Finish.STOP, "STOP"),
        Closed(Finish.LENGTH, "MAX_TOKENS"),
        Closed(Finish.CONTENT_FILTER, "SAFETY"),
        Closed(Finish.CONTENT_FILTER, "BLOCKLIST"),
    ]
)
pieces = st.one_of(st.builds(Text, words), st.builds(Thought, words), sealed, opaque, calls)


def settled(parts: list[ReplyPart]) -> tuple[ReplyPart, ...]:
    """Neighbours of one kind as the one part that they are in this API, and every call once."""
    kept: list[ReplyPart] = []
    for part in parts:
        last = kept[-1] if kept else None
        if isinstance(part, Text) and isinstance(last, Text):
            kept[-1] = Text(last.text + part.text)
        elif isinstance(part, Thought) and part.text and isinstance(last, Thought) and last.seal is None:
            kept[-1] = Thought(last.text + part.text, part.seal)
        elif not isinstance(part, ToolCall) or part.id not in {c.id for c in kept if isinstance(c, ToolCall)}:
            kept.append(part)
    return tuple(kept) if len(kept) == len(parts) else settled(kept)


@st.composite
def replies(draw: st.DrawFn) -> Reply:
    """What this API can say. Left out, because it cannot: refusals, stop sequences, tokens written to a cache."""
    parts = settled(draw(st.lists(pieces, max_size=5)))
    closed = draw(ENDS)
    called = any(isinstance(part, ToolCall) for part in parts)
    usage = draw(st.builds(lambda i, o, c, r: Usage(i, o + r, c, 0, r), *[st.integers(0, 9)] * 4))
    return Reply(
        parts=parts,
        model=STAMP.model,
        id=STAMP.id,
        usage=usage,
        finish=Finish.TOOL_USE if called and closed.finish is Finish.STOP else closed.finish,
        native=closed.native,
        choices=tuple(draw(st.lists(words, max_size=2))),
    )


@given(replies(), st.booleans(), st.lists(st.integers(0, 3_000), max_size=5))
def test_what_is_written_is_read_back_streamed_and_whole(reply: Reply, array: bool, cuts: list[int]) -> None:
    stream = write(unfold(reply), array=array)

    assert read(stream, *(cut for cut in cuts if cut < len(stream))) == reply
    assert read(writer().whole(reply)) == reply


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=8), st.data())
def test_interleaved_calls_survive_writing_and_reading(order: list[str], data: Any) -> None:
    opened: dict[str, list[str]] = {}
    events: list[Event] = []
    for name in order:
        if name not in opened:
            events.append(ToolOpened(len(opened), f"id-{name}", name))
            opened[name] = []
        piece = data.draw(st.text('abc{}\\"ü', max_size=4))
        opened[name].append(piece)
    for at, told in enumerate(opened.values()):
        arguments = "{" + ",".join(f'"{n}":{_quoted(piece)}' for n, piece in enumerate(told)) + "}"
        cut = data.draw(st.integers(0, len(arguments)))
        events += [ArgsDelta(at, arguments[:cut]), ArgsDelta(at, arguments[cut:])]
    closed = Closed(Finish.TOOL_USE, "STOP")
    back = {call.id: call for call in read(write([*events, closed])).calls}

    assert back == {call.id: call for call in fold([*events, closed]).calls}


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@given(st.lists(st.tuples(words, st.booleans()), min_size=1, max_size=6))
def test_streamed_and_whole_say_the_same(said: list[tuple[str, bool]]) -> None:
    events: list[Event] = [
        ThoughtDelta(text, at) if thought else TextDelta(text, at) for at, (text, thought) in enumerate(said)
    ]
    events += [Usage(1, 2), Closed(Finish.STOP, "STOP")]

    assert read(write(events)) == read(writer().whole(fold(events)))
