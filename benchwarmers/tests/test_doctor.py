"""The doctor's looks, each on an installation with one thing wrong."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from benchwarmers import doctor
from benchwarmers.env import Environment, read_environment
from benchwarmers.folder import make_home, make_secrets


@pytest.fixture
def bench(tmp_path: Path) -> Environment:
    """A prepared home on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        environ = {"BENCHWARMERS_HOME": str(tmp_path), "BENCH_PORT": str(probe.getsockname()[1])}
    make_home(tmp_path)
    make_secrets(read_environment(environ))
    return read_environment(environ)


def bad(look: doctor.Look, bench: Environment) -> str:
    return " ".join(finding.text for finding in look(bench) if not finding.is_well)


@pytest.mark.django_db
def test_a_prepared_home_has_nothing_wrong_but_the_absent_valkey(bench: Environment) -> None:
    wrong = [finding.text for finding in doctor.run_looks(bench) if not finding.is_well]
    assert [text.split()[0] for text in wrong if "database yet" not in text] == ["Valkey"], wrong


def test_a_secret_that_others_can_read_is_found(bench: Environment) -> None:
    (bench.home / "vault-key").chmod(0o644)
    assert "chmod 600" in bad(doctor.look_at_secrets, bench)


def test_absent_secrets_are_found(tmp_path: Path) -> None:
    assert "no vault-key" in bad(doctor.look_at_secrets, read_environment({"BENCHWARMERS_HOME": str(tmp_path)}))


def test_a_taken_port_is_found(bench: Environment) -> None:
    with socket.socket() as other:
        other.bind((bench.bind, bench.port))
        other.listen()
        assert f"Port {bench.port}" in bad(doctor.look_at_ports, bench)


def test_a_home_that_is_a_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    bench = read_environment({"BENCHWARMERS_HOME": str(tmp_path / "file")})
    assert "BENCHWARMERS_HOME" in bad(doctor.look_at_folder, bench)


def test_findings_are_sentences(bench: Environment) -> None:
    for finding in doctor.look_at_redis(bench):
        assert finding.text[0].isupper()
        assert finding.text.endswith(".")
        assert "\n" not in finding.text
