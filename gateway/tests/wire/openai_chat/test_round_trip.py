"""An ask that goes out and is read again is the same."""

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
    Refusal,
    Text,
    Thought,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Turn,
)
from gateway.wire.base import Facts
from gateway.wire.openai_chat import CLIENT, SERVER

Mode = Literal["auto", "none", "required", "named"]
words = st.text(min_size=1, max_size=12)
raws = st.sampled_from([Raw(b'{"type":"object"}'), Raw(b"[1]"), Raw(b'"x"')])
marks = st.none() | st.just(Raw(b'{"type":"ephemeral"}'))
texts = st.builds(Text, words, marks)
media = st.one_of(
    st.builds(Media, st.just("image"), url=st.just("https://h/a"), detail=st.sampled_from(["", "low"]), cache=marks),
    st.builds(Media, st.just("image"), data=st.just("AAAA"), mime=st.just("image/png")),
    st.builds(Media, st.just("audio"), data=st.just("BBBB"), mime=st.sampled_from(["audio/mpeg", "audio/flac", ""])),
    st.builds(Media, st.just("document"), data=st.just("CC"), mime=st.just("application/pdf"), name=words),
    st.builds(Media, st.just("document"), file_id=words, cache=marks),
)
extras = st.dictionaries(st.sampled_from(["prefix", "annotations"]), raws, max_size=2)
users = st.builds(Turn, st.just("user"), st.lists(texts | media, max_size=3).map(tuple), st.just("") | words, extras)
systems = st.builds(Turn, st.sampled_from(["system", "developer"]), st.lists(texts, min_size=1, max_size=2).map(tuple))
seals = st.none() | st.just(Raw(b'{"openai_chat":{"extra_content":{"google":1}}}'))
calls = st.builds(ToolCall, words, words, words.filter(str.strip), st.booleans(), seals)
assistants = st.builds(
    lambda thoughts, said, refusals, made, more: Turn("assistant", (*thoughts, *said, *refusals, *made), extras=more),
    st.lists(st.builds(Thought, words), max_size=1),
    st.lists(texts, max_size=2),
    st.lists(st.builds(Refusal, words), max_size=1),
    st.lists(calls, max_size=2),
    extras,
)
results = st.builds(
    lambda result: Turn("tool", (result,)),
    st.builds(ToolResult, words, st.lists(texts, max_size=2).map(tuple), name=st.just("") | words),
)
tools = st.one_of(
    st.builds(Tool, words, words, st.none() | raws, st.none() | st.booleans(), cache=marks),
    st.builds(Tool, words, words, kind=st.just("custom"), grammar=st.none() | raws),
    st.just(Tool("web_search", kind="vendor", definition=Raw(b'{"type":"web_search","a":1}'))),
)
floats = st.none() | st.floats(0, 2)
knobs = st.builds(
    Knobs,
    st.none() | st.integers(1, 1_000),
    floats,
    floats,
    st.none() | st.integers(1, 9),
    st.lists(words, max_size=2).map(tuple),
    st.none() | st.integers(),
    floats,
    floats,
    st.just("") | words,
)
outputs = st.one_of(
    st.none(),
    st.just(OutputFormat("json_object")),
    st.builds(OutputFormat, st.just("json_schema"), words, raws, st.none() | st.booleans(), st.just("") | words),
)


@st.composite
def asks(draw: st.DrawFn) -> Ask:
    offered = tuple(draw(st.lists(tools, max_size=3, unique_by=lambda tool: tool.name)))
    modes: list[Mode] = ["auto", "none", "required", "named"] if offered else ["auto"]
    mode = draw(st.sampled_from(modes))
    name = draw(st.sampled_from(offered)).name if mode == "named" else ""
    parallel = draw(st.none() | st.booleans()) if offered else None
    more = draw(st.dictionaries(st.sampled_from(["user", "store", "prompt_cache_key"]), raws, max_size=2))
    choice = ToolChoice(mode, name, parallel)
    if name == "web_search":
        more["tool_choice"] = Raw(b'{"type":"web_search"}')
    return Ask(
        "openai_chat",
        "served/m",
        tuple(draw(st.lists(users | systems | assistants | results, min_size=1, max_size=4))),
        stream=True,
        include_usage=True,
        tools=offered,
        tool_choice=choice,
        output=draw(outputs),
        knobs=draw(knobs),
        extras=more,
    )


@given(asks())
def test_an_ask_that_goes_out_and_is_read_again_is_the_same(ask: Ask) -> None:
    facts = Facts("served/m", developer_role=True, reasoning_field="reasoning_content", plain_tools=False)
    outgoing = CLIENT.write_ask(ask, facts)

    assert SERVER.read_ask(outgoing.body) == ask
    assert outgoing.notes == ()


@given(asks())
def test_every_ask_can_be_written_for_the_plainest_member(ask: Ask) -> None:
    facts = Facts("m", stream=False, system_role=False, content_lists=False, completion_tokens_field=True, max_output=5)

    SERVER.read_ask(CLIENT.write_ask(replace(ask, protocol="anthropic"), facts).body)
