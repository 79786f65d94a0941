"""Pieces of tool calls find their call."""

from typing import Any

from msgspec import Raw

from gateway.canon.ask import ToolCall
from gateway.canon.event import ArgsDelta, Note, ToolOpened
from gateway.canon.reply import fold
from gateway.wire.parts import PartTable


def calls(*pieces: dict[str, Any], seed: str = "s") -> tuple[ToolCall, ...]:
    table = PartTable(seed)
    events = [event for piece in pieces for event in table.piece(**piece)]
    return fold([*events, *table.close()]).calls


def test_interleaved_pieces_go_to_their_own_calls() -> None:
    assert calls(
        {"index": 0, "id": "a", "name": "f", "arguments": '{"x"'},
        {"index": 1, "id": "b", "name": "g", "arguments": '{"y"'},
        {"index": 0, "arguments": ":1}"},
        {"index": 1, "arguments": ":2}"},
    ) == (ToolCall("a", "f", '{"x":1}'), ToolCall("b", "g", '{"y":2}'))


def test_a_new_id_on_a_used_index_is_a_new_call() -> None:
    found = calls(
        {"index": 0, "id": "a", "name": "f", "arguments": "{}"}, {"index": 0, "id": "b", "name": "f", "arguments": "{}"}
    )

    assert [call.id for call in found] == ["a", "b"]


def test_a_known_id_continues_its_call_whatever_the_index_says() -> None:
    assert calls(
        {"index": 0, "id": "a", "name": "f", "arguments": '{"x"'},
        {"index": 1, "id": "b", "name": "g", "arguments": "{}"},
        {"index": 5, "id": "a", "name": "again", "arguments": ":1}"},
    )[0] == ToolCall("a", "f", '{"x":1}')


def test_a_piece_with_neither_id_nor_index_continues_the_last_call() -> None:
    assert calls({"id": "a", "name": "f", "arguments": '{"x"'}, {"arguments": ":1}"}) == (
        ToolCall("a", "f", '{"x":1}'),
    )


def test_a_late_id_is_the_only_id_a_caller_ever_sees() -> None:
    table = PartTable()

    assert list(table.piece(index=0, name="f", arguments='{"x"')) == []
    assert list(table.piece(index=0, id="late", arguments=":1}")) == [
        ToolOpened(0, "late", "f"),
        ArgsDelta(0, '{"x"'),
        ArgsDelta(0, ":1}"),
    ]
    assert table.calls == 1


def test_a_late_name_is_waited_for() -> None:
    assert calls({"index": 0, "id": "a", "arguments": "{"}, {"index": 0, "name": "f", "arguments": "}"}) == (
        ToolCall("a", "f", "{}"),
    )


def test_ids_are_made_up_where_none_came_and_differ_between_calls_and_answers() -> None:
    pieces = [{"index": 0, "name": "f", "arguments": "{}"}, {"index": 1, "name": "f", "arguments": "{}"}]
    made = [call.id for call in calls(*pieces) + calls(*pieces, seed="other answer")]

    assert len(set(made)) == 4
    assert all(id.startswith("call_") and len(id) == 29 for id in made)
    assert [call.id for call in calls(*pieces)] == made[:2]


def test_whole_calls_without_ids_on_one_index_are_told_apart() -> None:
    found = calls(
        {"index": 0, "name": "f", "arguments": '{"q":"a"}'},
        {"index": 0, "name": "f", "arguments": '{"q":"b"}'},
        {"name": "g", "arguments": '{"q":"c"}'},
    )

    assert [(call.name, call.arguments) for call in found] == [
        ("f", '{"q":"a"}'),
        ("f", '{"q":"b"}'),
        ("g", '{"q":"c"}'),
    ]


def test_a_name_repeated_with_every_piece_does_not_split_a_call() -> None:
    assert [
        call.arguments for call in calls({"name": "f", "arguments": '{"q":'}, {"name": "f", "arguments": '"a"}'})
    ] == ['{"q":"a"}']


def test_a_function_called_with_nothing_gets_an_empty_object_and_a_custom_tool_does_not() -> None:
    assert calls({"id": "a", "name": "f"})[0].arguments == "{}"
    assert calls({"id": "a", "name": "f", "arguments": ""}, {"id": "a", "arguments": "{}"})[0].arguments == "{}"
    assert calls({"id": "a", "name": "f", "custom": True})[0].arguments == ""


def test_a_call_that_is_never_named_is_left_out_and_noted() -> None:
    table = PartTable()
    list(table.piece(index=0, id="a", arguments="{}"))
    (note,) = table.close()

    assert isinstance(note, Note)
    assert note.kind == "anomaly"
    assert table.calls == 0


def test_a_seal_goes_with_its_call() -> None:
    assert calls({"id": "a", "name": "f", "seal": Raw(b"1")})[0].seal == Raw(b"1")


def test_channels_keep_their_index_and_parts_of_their_own_are_numbered_on() -> None:
    table = PartTable()

    assert [table.channel("text"), table.channel("thought"), table.channel("text"), table.take()] == [0, 1, 0, 2]
