"""An archive that is not whole, not ours or too new is refused with a sentence, and nothing is made of it."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchwarmers.backup.manifest import NAME
from benchwarmers.backup.refused import Refused
from benchwarmers.backup.restore import check, restore
from benchwarmers.env import Environment
from benchwarmers.tests.backup.conftest import Made
from benchwarmers.tests.upgrade.little import NOW

pytestmark = pytest.mark.xdist_group("postgres")
CALLS = "tables/gateway_call.jsonl"
Members = dict[str, bytes]


def half(whole: bytes) -> bytes:
    return whole[: len(whole) // 2]


def one_other_byte(whole: bytes) -> bytes:
    place = len(whole) // 3
    return whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :]


def without_manifest(members: Members) -> None:
    del members[NAME]


def without_a_table(members: Members) -> None:
    del members[CALLS]


def without_a_row(members: Members) -> None:
    members[CALLS] = members[CALLS].partition(b"\n")[2]


def with_another_value(members: Members) -> None:
    members[CALLS] = members[CALLS].replace(b'"', b'"x', 1)


def with_a_line_that_is_no_row(members: Members) -> None:
    members[CALLS] = b"not a row\n" + members[CALLS]


def with_a_shorter_row(members: Members) -> None:
    members[CALLS] = b"[1]\n" + members[CALLS]


def of_a_later_format(members: Members) -> None:
    members[NAME] = members[NAME].replace(b'"format": 1', b'"format": 2, "strange": []')


def of_a_later_program(members: Members) -> None:
    told = msgspec.json.decode(members[NAME])
    told["program"], told["migrations"]["gateway"] = "9.0.0", [*told["migrations"]["gateway"], "9999_later"]
    members[NAME] = msgspec.json.encode(told)


def with_a_manifest_of_something_else(members: Members) -> None:
    members[NAME] = b'{"format": 1}'


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda whole: b"", "damaged"),
        (lambda whole: b"just a text", "no archive of Benchwarmers"),
        (half, "no archive of Benchwarmers"),
        (one_other_byte, "damaged"),
    ],
    ids=["empty", "text", "half", "one other byte"],
)
def test_a_damaged_file_is_told(made: Made, tmp_path: Path, damage: Callable[[bytes], bytes], says: str) -> None:
    (tmp_path / "bad.zip").write_bytes(damage(made.archive.read_bytes()))
    with pytest.raises(Refused, match=says):
        check(tmp_path / "bad.zip")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (without_manifest, "manifest"),
        (without_a_table, "damaged"),
        (without_a_row, "the table gateway_call is not as it was written"),
        (with_another_value, "the table gateway_call is not as it was written"),
        (with_a_line_that_is_no_row, "a line that is no row"),
        (with_a_shorter_row, "a row of gateway_call has 1 values"),
        (of_a_later_format, "of format 2 and this program reads 1 at most"),
        (of_a_later_program, r"of version 9\.0\.0, which knows gateway\.9999_later"),
        (with_a_manifest_of_something_else, "its manifest cannot be read"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_an_archive_that_was_changed_is_told(
    made: Made, tmp_path: Path, change: Callable[[Members], Any], says: str
) -> None:
    with pytest.raises(Refused, match=says):
        check(changed(made.archive, tmp_path / "bad.zip", change))


def test_what_is_found_damaged_halfway_leaves_nothing(
    made: Made, tmp_path: Path, on_sqlite: Path, bench: Environment, quickly: None
) -> None:
    with pytest.raises(Refused, match="gateway_call is not as it was written"):
        restore(changed(made.archive, tmp_path / "bad.zip", without_a_row), bench, NOW)
    assert list(bench.home.iterdir()) == []


def test_a_row_that_refers_to_nothing_is_told(
    made: Made, tmp_path: Path, on_sqlite: Path, bench: Environment, quickly: None
) -> None:
    def without_people(members: Members) -> None:
        told = msgspec.json.decode(members[NAME])
        (people,) = [table for table in told["tables"] if table["name"] == "auth_user"]
        people["rows"], people["sha256"] = 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        members[NAME], members["tables/auth_user.jsonl"] = msgspec.json.encode(told), b""

    with pytest.raises(Refused, match="The archive is not whole: "):
        restore(changed(made.archive, tmp_path / "bad.zip", without_people), bench, NOW)
    assert list(bench.home.iterdir()) == []


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"none\.zip cannot be read: No such file or directory"):
        check(tmp_path / "none.zip")


def changed(archive: Path, to: Path, change: Callable[[Members], Any]) -> Path:
    """The archive with other members, whole as a zip."""
    with zipfile.ZipFile(archive) as file:
        members = {name: file.read(name) for name in file.namelist()}
    change(members)
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in members.items():
            file.writestr(name, text)
    return to
