"""One request by the standard library: what is sent, by which way, and what an answer that goes wrong is taken for."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from benchwarmers.cli.line import BrokenOff, TooLate, Unanswered, asked

WHOLE = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Bench-Panel: p1\r\n\r\nhello"


@contextmanager
def answering(*answers: bytes, within: ssl.SSLContext | None = None) -> Iterator[tuple[int, list[bytes]]]:
    """(port, what was sent to it): a connection for each answer, closed after it."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as door:

        def serve() -> None:
            for answer in answers:
                line, _ = door.accept()
                with line:
                    try:
                        with within.wrap_socket(line, server_side=True) if within else line as safe:
                            heard.append(safe.recv(65_536))
                            safe.sendall(answer)
                    except ssl.SSLError:
                        heard.append(b"")

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield door.getsockname()[1], heard
        thread.join(10)


def fetch(url: str, body: bytes | None = None, read_s: float = 10.0) -> bytes:
    with asked(url, "GET" if body is None else "POST", body, {"A": "b"}, connect_s=10.0, read_s=read_s) as answer:
        return answer.read()


@pytest.fixture(autouse=True)
def _no_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def test_a_request_is_what_it_was_given_and_its_answer_is_whole() -> None:
    with answering(WHOLE) as (port, heard):
        url = f"http://127.0.0.1:{port}/v1/models?find=a+b"
        with asked(url, "GET", None, {"A": "b"}, connect_s=5.0, read_s=5.0) as answer:
            assert (answer.status_code, answer.headers["x-bench-panel"], answer.read()) == (200, "p1", b"hello")
    assert heard[0].startswith(b"GET /v1/models?find=a+b HTTP/1.1\r\n")
    assert b"\r\nA: b\r\n" in heard[0]


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\none\r\n\r\ntwo\nthr", ["one", "", "two", "thr"]),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\none\n\r\n2\r\n\xc3\xa9\r\n0\r\n\r\n",
            ["one", "é"],
        ),
    ],
    ids=["until it closes", "chunked"],
)
def test_lines_come_without_their_ends_however_they_are_sent(answer: bytes, lines: list[str]) -> None:
    with (
        answering(answer) as (port, _),
        asked(f"http://127.0.0.1:{port}/", "GET", None, {}, connect_s=5.0, read_s=5.0) as came,
    ):
        assert list(came.iter_lines()) == lines


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"no http\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhello",
    ],
)
@pytest.mark.parametrize("by_lines", [False, True])
def test_an_answer_that_ends_before_its_end_is_broken_off(answer: bytes, by_lines: bool) -> None:
    with (
        answering(answer) as (port, _),
        pytest.raises(BrokenOff),
        asked(f"http://127.0.0.1:{port}/", "GET", None, {}, connect_s=5.0, read_s=5.0) as came,
    ):
        _ = list(came.iter_lines()) if by_lines else came.read()


def test_silence_and_nobody_are_told_apart() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        with pytest.raises(TooLate):
            fetch(f"http://127.0.0.1:{silent.getsockname()[1]}/", read_s=0.05)
        port = silent.getsockname()[1]
    for url in (f"http://127.0.0.1:{port}/", "http://no-such-host.invalid/", "http://[::1]:9/"):
        with pytest.raises(Unanswered):
            fetch(url)


def test_a_proxy_is_asked_for_what_is_elsewhere_and_never_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(WHOLE, b"HTTP/1.1 502 No\r\n\r\n") as (port, heard):
        monkeypatch.setenv("HTTP_PROXY", f"http://me:p%40ss@127.0.0.1:{port}")
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:p%40ss@127.0.0.1:{port}")
        assert fetch("http://bench.lan:8122/v1/models") == b"hello"
        with pytest.raises(Unanswered, match="502"):
            fetch("https://bench.lan/v1/models")
    assert heard[0].startswith(b"GET http://bench.lan:8122/v1/models HTTP/1.1\r\nHost: bench.lan:8122\r\n")
    assert heard[1].startswith(b"CONNECT bench.lan:443 HTTP/1.")
    assert all(b"Proxy-Authorization: Basic bWU6cEBzcw==\r\n" in one for one in heard)
    with answering(WHOLE) as (port, heard):
        assert fetch(f"http://127.0.0.1:{port}/here") == b"hello"
    assert heard[0].startswith(b"GET /here ")
    monkeypatch.setenv("NO_PROXY", "bench.lan")
    with pytest.raises(Unanswered):
        fetch("http://bench.lan:9/")


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[ssl.SSLContext, Path]:
    """(a server's context, the file of the one who signed it)."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "bench")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    shown, kept = tmp_path / "shown.pem", tmp_path / "kept.pem"
    shown.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    kept.write_bytes(key.private_bytes(*plain))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(shown, kept)
    return context, shown


def test_a_certificate_must_be_signed_by_somebody_who_is_trusted(
    certificate: tuple[ssl.SSLContext, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    context, signer = certificate
    with answering(WHOLE, WHOLE, within=context) as (port, _):
        with pytest.raises(Unanswered, match="CERTIFICATE_VERIFY_FAILED"):
            fetch(f"https://127.0.0.1:{port}/")
        monkeypatch.setenv("SSL_CERT_FILE", str(signer))
        assert fetch(f"https://127.0.0.1:{port}/") == b"hello"
