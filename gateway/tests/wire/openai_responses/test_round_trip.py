"""What goes out and is read again is the same.

What the API cannot say: which of an assistant's neighbouring items were one turn (they are read as one), a
participant's name, settings such as `stop` and `seed`, whether a system message that opens the conversation came as
instructions, and the seal of an item that was closed before the seal was known. None of it is drawn here.
"""

from typing import Literal

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw
from msgspec.json import encode
from msgspec.structs import replace

from gateway.canon.ask import (
    Ask,
    Knobs,
    Media,
    OutputFormat,
    Part,
    Refusal,
    Text,
    Thought,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Turn,
)
from gateway.canon.event import ArgsDelta, Closed, Event, Finish, ToolOpened, Usage
from gateway.canon.reply import Reply, fold, unfold
from gateway.tests.wire.openai_responses.streams import read as read_reply
from gateway.tests.wire.openai_responses.streams import told, write, writer
from gateway.wire.base import Facts
from gateway.wire.openai_responses import CLIENT, SERVER

Mode = Literal["auto", "none", "required", "named"]
words = st.text(min_size=1, max_size=12)
names = st.text("abcxyz_", min_size=1, max_size=8)
raws = st.sampled_from([Raw(b'{"type":"object"}'), Raw(b"[1]"), Raw(b'"x"')])
marks = st.none() | st.just(Raw(b'{"mode":"explicit"}'))
texts = st.builds(Text, words, marks)
media = st.one_of(
    st.builds(Media, st.just("image"), url=st.just("https://h/a"), detail=st.sampled_from(["", "low"]), cache=marks),
    st.builds(Media, st.just("image"), data=st.just("AAAA"), mime=st.just("image/png")),
    st.builds(Media, st.just("audio"), data=st.just("BBBB"), mime=st.sampled_from(["audio/mpeg", "audio/flac", ""])),
    st.builds(Media, st.just("document"), data=st.just("CC"), mime=st.just("application/pdf"), name=words),
    st.builds(Media, st.just("document"), file_id=words, cache=marks),
)
extras = st.dictionaries(st.sampled_from(["phase", "note"]), raws, max_size=2)
users = st.builds(Turn, st.just("user"), st.lists(texts | media, max_size=3).map(tuple), extras=extras)
developers = st.builds(Turn, st.just("developer"), st.lists(texts, min_size=1, max_size=2).map(tuple))


@st.composite
def sealed(draw: st.DrawFn) -> tuple[Thought, ...]:
    """A reasoning item: a thought for each of its parts, the last with the seal."""
    summary = draw(st.lists(words, max_size=3, unique=True))
    parts = [{"type": "summary_text", "text": text} for text in summary]
    item = {"type": "reasoning", "id": "rs_1", "summary": parts, "encrypted_content": "gA=="}
    seal = Raw(encode({"openai_responses": item}))
    return (*(Thought(text) for text in summary[:-1]), Thought(summary[-1] if summary else "", seal))


calls = st.builds(ToolCall, words, names, words.filter(str.strip), st.booleans())


@st.composite
def assistants(draw: st.DrawFn) -> Turn:
    """Reasoning that something follows, then words and calls in any order."""
    thoughts = draw(sealed()) if draw(st.booleans()) else ()
    said = draw(st.lists(st.lists(texts | st.builds(Refusal, words), min_size=1, max_size=2), max_size=2))
    made = draw(st.lists(calls, max_size=2, unique_by=lambda call: call.id))
    groups: list[list[Part]] = [[*group] for group in said]
    groups += [[call] for call in made]
    rest = draw(st.permutations(groups)) or [[Text("x")]]
    more = draw(extras) if said else {}
    return Turn("assistant", (*thoughts, *(part for parts in rest for part in parts)), extras=more)


results = st.builds(
    lambda result: Turn("tool", (result,)),
    st.builds(ToolResult, words, st.lists(texts | media, max_size=2).map(tuple)),
)
grammar = Raw(b'{"type":"grammar","grammar":{"syntax":"lark","definition":"start: /.+/"}}')
functions = st.builds(
    Tool, names, words, raws, st.none() | st.booleans(), extras=st.just({}) | st.just({"defer": Raw(b"1")})
)
tools = st.one_of(
    functions,
    st.builds(Tool, names, words, kind=st.just("custom"), grammar=st.sampled_from([None, grammar])),
    st.just(Tool("web_search", kind="vendor", definition=Raw(b'{"type":"web_search","a":1}'))),
    st.just(Tool("s__t", "d", Raw(b"{}"), extras={"namespace": Raw(b'{"namespace":"s","name":"t","description":""}')})),
    st.just(
        Tool(
            "tool_search",
            "d",
            Raw(b"{}"),
            extras={
                "tool_search": Raw(b'{"type":"tool_search","execution":"client","description":"d","parameters":{}}')
            },
        )
    ),
)
floats = st.none() | st.floats(0, 2)
knobs = st.builds(Knobs, st.none() | st.integers(1, 1_000), floats, floats, reasoning_effort=st.just("") | words)
outputs = st.one_of(
    st.none(),
    st.just(OutputFormat("json_object")),
    st.builds(OutputFormat, st.just("json_schema"), words, raws, st.none() | st.booleans(), st.just("") | words),
)


@st.composite
def asks(draw: st.DrawFn) -> Ask:
    opening = draw(st.just(()) | st.builds(lambda text: (Turn("system", (Text(text),)),), words))
    turns = draw(st.lists(users | developers | assistants() | results, min_size=1, max_size=4))
    apart = [turn for at, turn in enumerate(turns) if not at or "assistant" not in (turn.role, turns[at - 1].role)]
    offered = tuple(draw(st.lists(tools, max_size=4, unique_by=lambda tool: tool.name)))
    modes: list[Mode] = ["auto", "none", "required", "named"] if offered else ["auto"]
    mode = draw(st.sampled_from(modes))
    name = draw(st.sampled_from(offered)).name if mode == "named" else ""
    parallel = draw(st.none() | st.booleans()) if offered else None
    fields = ["user", "include", "prompt_cache_key", "text.verbosity", "reasoning.summary"]
    more = draw(st.dictionaries(st.sampled_from(fields), raws, max_size=2))
    if name == "web_search":
        more["tool_choice"] = Raw(b'{"type":"web_search"}')
    return Ask(
        "openai_responses",
        "served/m",
        (*opening, *apart),
        stream=True,
        include_usage=True,
        tools=offered,
        tool_choice=ToolChoice(mode, name, parallel),
        output=draw(outputs),
        knobs=draw(knobs),
        extras=more,
    )


@given(asks())
def test_an_ask_that_goes_out_and_is_read_again_is_the_same(ask: Ask) -> None:
    outgoing = CLIENT.write_ask(ask, Facts("served/m"))

    assert SERVER.read_ask(outgoing.body) == ask
    assert outgoing.notes == ()


@given(asks(), st.booleans())
def test_every_ask_can_be_written_for_the_plainest_member(ask: Ask, other: bool) -> None:
    facts = Facts("m", stream=False, system_role=False, content_lists=False, plain_tools=True, max_output=5)
    asked = replace(ask, protocol="anthropic") if other else ask

    written = SERVER.read_ask(CLIENT.write_ask(asked, facts).body)
    kinds = {tool.kind for tool in written.tools}
    assert kinds <= {"function"} or kinds == {tool.kind for tool in ask.tools} == {"vendor"}


# --- replies ----------------------------------------------------------------------------------------------------------


@st.composite
def replies(draw: st.DrawFn) -> Reply:
    """Replies in the order in which clients expect items; thoughts and texts in any number."""
    own = draw(sealed()) if draw(st.booleans()) else ()
    thoughts = [*own, *(Thought(text) for text in draw(st.lists(words, max_size=2)))]
    said = draw(st.lists(st.builds(Text, words) | st.builds(Refusal, words), max_size=3))
    made = draw(st.lists(calls, max_size=3, unique_by=lambda call: call.id))
    finish = draw(st.sampled_from(Finish))
    if made:
        finish = Finish.TOOL_USE if finish in (Finish.STOP, Finish.STOP_SEQUENCE) else finish
    elif finish is Finish.TOOL_USE:
        finish = Finish.STOP
    native = {
        Finish.STOP_SEQUENCE: "stop_sequence",
        Finish.REFUSAL: "refusal",
        Finish.LENGTH: "max_output_tokens",
        Finish.CONTENT_FILTER: "content_filter",
    }.get(finish, "completed")
    return Reply(
        parts=(*thoughts, *said, *made),
        model="bench/core",
        id="resp_1",
        usage=draw(st.none() | st.builds(Usage, *[st.integers(0, 9)] * 5)),
        finish=finish,
        native=draw(st.sampled_from([native, "end_turn"])) if finish in (Finish.STOP, Finish.LENGTH) else native,
        sequence=draw(words) if finish is Finish.STOP_SEQUENCE else "",
    )


def plain(reply: Reply) -> Reply:
    """With the seals opened as far as their encrypted content: the ids in them are made for each stream."""
    parts = tuple(
        replace(part, seal=part.seal and Raw(b"1")) if isinstance(part, Thought) else part for part in reply.parts
    )
    return replace(reply, parts=parts)


@given(replies(), st.lists(st.integers(0, 3_000), max_size=5))
def test_what_is_written_is_read_back_streamed_and_whole(reply: Reply, cuts: list[int]) -> None:
    stream = write(unfold(reply))
    told(stream)

    assert plain(read_reply(stream, *(cut for cut in cuts if cut < len(stream)))) == plain(reply)
    assert plain(read_reply(writer().whole(reply))) == plain(reply)


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=8), st.data())
def test_interleaved_calls_survive_writing_and_reading(order: list[str], data: st.DataObject) -> None:
    opened: dict[str, int] = {}
    events: list[Event] = []
    for name in order:
        if name not in opened:
            opened[name] = len(opened)
            events.append(ToolOpened(opened[name], f"id-{name}", name))
        events.append(ArgsDelta(opened[name], data.draw(words.filter(str.strip))))
    events.append(Closed(Finish.TOOL_USE, "completed"))

    assert read_reply(write(events)).calls == fold(events).calls


@given(sealed())
def test_a_seal_comes_back_as_its_maker_sent_it_by_way_of_any_client(thoughts: tuple[Thought, ...]) -> None:
    """A provider's reasoning, shown to a caller, sent back by it and sent on: the same but for the id."""
    answer = Reply((*thoughts, Text("a")), finish=Finish.STOP)
    output = told(write(unfold(answer)))[-1]["response"]["output"]
    ask = SERVER.read_ask(encode({"input": [*output, {"role": "user", "content": "go on"}]}))
    back = CLIENT.write_ask(ask, Facts("m"))

    sent = SERVER.read_ask(back.body).turns[0].parts[: len(thoughts)]
    assert [part.text for part in sent if isinstance(part, Thought)] == [thought.text for thought in thoughts]
    assert b'"encrypted_content":"gA=="' in back.body
    assert b"rs_bench_" not in back.body
