"""A request that does not come to its end is ended, and one that comes slowly is not."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator

import pytest

from benchwarmers import connections
from benchwarmers.connections import HEAD_BYTES, HEADERS, PIPELINED
from benchwarmers.env_limits import Limits
from benchwarmers.tests.hostile.small import LARGE, Small, hear, running

SOON = Limits(head_s=0.4, body_s=0.4, idle_s=60, connections=64)
HEAD = b"POST / HTTP/1.1\r\nhost: h\r\ncontent-length: %d\r\n\r\n"
LAST = b"GET / HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n"


@pytest.fixture(scope="module")
def small() -> Iterator[Small]:
    with running(SOON) as server:
        yield server


@pytest.fixture(scope="module")
def patient() -> Iterator[Small]:
    with running(Limits(connections=64)) as server:
        yield server


def status_of(said: bytes) -> int:
    return int(said.split(b" ", 2)[1]) if said else 0


def error_of(said: bytes) -> str:
    return str(json.loads(said.partition(b"\r\n\r\n")[2])["error"]["message"])


def test_headers_that_do_not_end_are_a_408(small: Small) -> None:
    said = small.say(b"GET / HTTP/1.1\r\nhost: h\r\nx-slow: ")
    assert status_of(said) == 408
    assert "0.4 s" in error_of(said)


def test_headers_that_trickle_in_are_a_408_too(small: Small) -> None:
    with small.connect() as caller:
        caller.settimeout(0.05)
        caller.sendall(b"GET / HTTP/1.1\r\n")
        said = b""
        until = time.monotonic() + 60
        while not said and time.monotonic() < until:
            try:
                caller.sendall(b"x: y\r\n")
                said = caller.recv(65_536)
            except TimeoutError:
                continue
            except ConnectionError:
                break
    assert status_of(said) == 408


def test_a_connection_that_says_nothing_is_closed_without_a_word(small: Small) -> None:
    assert small.say(b"") == b""


def test_empty_lines_are_no_request_and_keep_no_connection(small: Small) -> None:
    with small.connect() as caller:
        caller.sendall(b"GET / HTTP/1.1\r\nhost: h\r\n\r\n")
        assert caller.recv(65_536).startswith(b"HTTP/1.1 200")
        caller.sendall(b"\r\n")
        assert status_of(hear(caller)) in (0, 408)


@pytest.mark.parametrize(
    "head",
    [HEAD % 1_000, b"POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n"],
    ids=["with a length", "in chunks"],
)
def test_a_body_that_does_not_end_is_a_408_and_its_request_is_left(small: Small, head: bytes) -> None:
    left = small.left
    said = small.say(head)
    assert status_of(said) == 408
    assert "10,000 bytes" in error_of(said)
    until = time.monotonic() + 60
    while small.left == left and time.monotonic() < until:
        time.sleep(0.01)
    assert small.left == left + 1


def test_a_body_that_comes_fast_enough_may_take_longer(small: Small) -> None:
    """Each piece is worth some seconds, so that a busy machine does not make it late."""
    piece = b"x" * 600_000
    with small.connect() as caller:
        caller.sendall(HEAD % (3 * len(piece)) + piece)
        for _ in range(2):
            time.sleep(0.5)  # longer than a body without a byte may take
            caller.sendall(piece)
        assert caller.recv(65_536).startswith(b"HTTP/1.1 200")


def test_an_answer_before_the_body_does_not_keep_the_connection_for_the_rest(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "LINGER_S", 0.3)
    said = small.say(HEAD.replace(b"/ ", b"/early ", 1) % 1_000 + b"a")
    assert status_of(said) == 200


def test_whoever_reads_nothing_is_given_up(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "UNREAD_S", 0.3)
    with small.connect() as caller:
        caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        caller.sendall(LAST.replace(b"/ ", b"/large ", 1))
        until = time.monotonic() + 60
        while not small.server.server_state.connections and time.monotonic() < until:
            time.sleep(0.001)
        while small.server.server_state.connections and time.monotonic() < until:
            time.sleep(0.02)
        assert not small.server.server_state.connections
        assert len(hear(caller)) < LARGE


@pytest.mark.parametrize(("more", "status"), [(-3, 200), (50, 431)])
def test_so_many_headers_and_no_more(patient: Small, more: int, status: int) -> None:
    head = b"GET / HTTP/1.1\r\nhost: h\r\nconnection: close\r\n" + b"x: y\r\n" * (HEADERS + more)
    assert status_of(patient.say(head + b"\r\n")) == status


@pytest.mark.parametrize(("more", "status"), [(-200, 200), (1_000, 431)])
@pytest.mark.parametrize("whole", [True, False], ids=["in one piece", "without an end"])
def test_headers_of_so_many_bytes_and_no_more(patient: Small, more: int, status: int, whole: bool) -> None:
    head = b"GET / HTTP/1.1\r\nhost: h\r\nconnection: close\r\nx: " + b"y" * (HEAD_BYTES + more)
    said = patient.say(head + b"\r\n\r\n") if whole or status == 200 else patient.say(head + b"y" * 300_000)
    assert status_of(said) in ({status} if whole else {status, 0})  # what is on its way when we close resets it


def test_a_long_address_counts_as_headers(patient: Small) -> None:
    assert status_of(patient.say(b"GET /%b HTTP/1.1\r\nhost: h\r\n\r\n" % (b"a" * (HEAD_BYTES + 1)))) == 431


def test_a_second_request_has_headers_of_its_own(patient: Small) -> None:
    """What the first one sent does not count against it."""
    with patient.connect() as caller:
        for size in (200_000, 10):
            caller.sendall(HEAD % size + b"x" * size)
            assert b"%d" % size in caller.recv(65_536)


def test_requests_in_a_row_are_answered_in_their_order(patient: Small) -> None:
    said = patient.say((HEAD % 1 + b"a") * 3 + LAST)
    assert said.count(b"HTTP/1.1 200") == 4


def test_more_requests_in_a_row_than_may_wait_end_the_connection(patient: Small) -> None:
    said = patient.say(b"GET /wait HTTP/1.1\r\nhost: h\r\n\r\n" * (PIPELINED + 2))
    assert said == b""


def test_what_is_no_http_is_told_so_in_json(patient: Small) -> None:
    said = patient.say(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
    assert status_of(said) == 400
    assert "no HTTP" in error_of(said)


@pytest.mark.parametrize(
    "request_",
    [
        b"POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n" + LAST,
        b"POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello",
        b"POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: xchunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\nhost: h\r\ncontent-length: +5\r\n\r\nhello",
        b"POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n5\nhello\n0\n\n",
        b"GET / HTTP/1.1\r\nhost : h\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: h\r\n folded: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: h\r\nx: a\x00b\r\n\r\n",
        b"GET / HTTP/1.1\nhost: h\n\n",
        b"GET /\xff HTTP/1.1\r\nhost: h\r\n\r\n",
        b"GET / HTTP/9.9\r\nhost: h\r\n\r\n",
        b"CONNECT h:443 HTTP/1.1\r\nhost: h\r\n\r\n",
    ],
)
def test_what_two_servers_might_read_differently_is_refused(patient: Small, request_: bytes) -> None:
    seen = len(patient.seen)
    assert status_of(patient.say(request_)) == 400
    assert len(patient.seen) <= seen + 1
    assert not any(b"GET" in body for body in patient.seen)


def test_idle_connections_make_room_for_whoever_comes(patient: Small) -> None:
    """Twice as many as may be open: the oldest are closed, nobody is refused, and a caller is answered all along."""
    many = patient.protocol.limits.connections
    opened = [patient.connect() for _ in range(2 * many)]
    try:
        assert status_of(patient.say(LAST)) == 200
        assert len(patient.server.server_state.connections) <= many
        assert hear(opened[0]) == b""
        opened[-1].sendall(LAST)
        assert status_of(hear(opened[-1])) == 200
    finally:
        for one in opened:
            one.close()


def test_where_all_are_at_work_a_new_one_is_told_to_come_again() -> None:
    with running(Limits(connections=16)) as server:
        opened = [server.connect() for _ in range(16)]
        for one in opened:
            one.sendall(LAST.replace(b"/ ", b"/wait ", 1))
        until = time.monotonic() + 60
        while len(server.server.server_state.tasks) < 16 and time.monotonic() < until:
            time.sleep(0.01)
        said = server.say(b"")
        assert status_of(said) == 503
        assert b"retry-after: 5" in said
        assert "16 connections" in error_of(said)
        server.release.set()
        assert [status_of(hear(one)) for one in opened] == [200] * 16
        for one in opened:
            one.close()


def test_half_of_the_files_are_left_to_providers() -> None:
    with running(Limits(connections=10_000), files=1_024) as server:
        assert server.protocol.limits.connections == 512


@pytest.mark.parametrize("path", [b"/stay", b"/stay-later"])
def test_work_ends_when_its_caller_has_closed_the_connection(patient: Small, path: bytes) -> None:
    left, staying = patient.left, patient.staying
    with patient.connect() as caller:
        caller.sendall(b"GET %b HTTP/1.1\r\nhost: h\r\n\r\n" % path)
        until = time.monotonic() + 10
        while path == b"/stay" and patient.staying == staying and time.monotonic() < until:
            time.sleep(0.01)
    while patient.left == left and time.monotonic() < until:
        time.sleep(0.01)
    assert (patient.staying, patient.left) == (staying + 1, left + 1)


def test_the_next_request_of_a_connection_is_heard_after_one_that_was_left(patient: Small) -> None:
    """What was told of an earlier request's line does not stop a later one."""
    with patient.connect() as caller:
        for _ in range(3):
            caller.sendall(b"GET /early HTTP/1.1\r\nhost: h\r\n\r\n")
            assert status_of(caller.recv(65_536)) == 200
