"""The environment reader: defaults, and one sentence for everything that cannot be meant."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from benchwarmers.database import database
from benchwarmers.env import Environment, own_socket, read_environment
from benchwarmers.env_values import BadSetting
from benchwarmers.folder import hold_home, make_home, make_secrets
from benchwarmers.redis_address import broker_url

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "a-token-of-enough-length"


def read(home: Path, **environ: str) -> Environment:
    return read_environment({"BENCHWARMERS_HOME": str(home), **environ})


def test_an_empty_environment_gives_a_private_bench_on_loopback(tmp_path: Path) -> None:
    bench = read(tmp_path)
    assert (bench.bind, bench.port, bench.gateway_port, bench.require_keys) == ("127.0.0.1", 8122, None, False)
    assert bench.allowed_hosts == ("127.0.0.1:8122", "localhost:8122", "[::1]:8122")
    assert bench.allowed_origins == tuple(f"http://{host}" for host in bench.allowed_hosts)
    assert bench.redis_url == f"unix://{tmp_path}/valkey.sock"
    assert bench.own_valkey
    assert (bench.trusted_proxies, bench.allow_private) == ((), False)
    assert bench.detect_hosts == ("127.0.0.1",)
    assert bench.key_variables == ()
    assert (bench.seat_s, bench.route_first_piece_s, bench.route_turn_s) == (420, 90, 600)
    assert (bench.keepalive_s, bench.stream_grace_s) == (10, 1)
    assert (bench.web_processes, bench.worker_processes, bench.drain_s) == (1, 1, 120)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("given", "hosts"),
    [("off", ()), ("127.0.0.1, GPU.example", ("127.0.0.1", "gpu.example")), ("[::1]", ("::1",))],
)
def test_model_servers_are_looked_for_where_the_settings_say(
    tmp_path: Path, given: str, hosts: tuple[str, ...]
) -> None:
    assert read(tmp_path, BENCH_DETECT_HOSTS=given).detect_hosts == hosts


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({"BENCH_KEY_VARIABLES": "LAB_KEY, *"}, "BENCH_KEY_VARIABLES"),
        ({"BENCH_KEY_VARIABLES": "LAB KEY"}, "BENCH_KEY_VARIABLES"),
        ({"BENCH_PORT": "eighty"}, "BENCH_PORT"),
        ({"BENCH_PORT": "0"}, "BENCH_PORT"),
        ({"BENCH_PORT": "65536"}, "BENCH_PORT"),
        ({"BENCH_PORT": "-1"}, "BENCH_PORT"),
        ({"BENCH_PORT": "٨١٢٢"}, "BENCH_PORT"),
        ({"BENCH_GATEWAY_PORT": "8122"}, "BENCH_GATEWAY_PORT"),
        ({"BENCH_GATEWAY_PORT": "x"}, "BENCH_GATEWAY_PORT"),
        ({"BENCH_BIND": "everywhere"}, "BENCH_BIND"),
        ({"BENCH_BIND": "0.0.0.0"}, "BENCHWARMERS_ADMIN_TOKEN"),
        ({"BENCH_BIND": "192.168.1.4", "BENCHWARMERS_REQUIRE_KEYS": "off"}, "BENCHWARMERS_REQUIRE_KEYS"),
        ({"BENCH_BIND": "::"}, "BENCH_BIND"),
        ({"BENCHWARMERS_ADMIN_TOKEN": "too-short"}, "16"),
        ({"BENCHWARMERS_PUBLIC_URL": "bench.example.org"}, "BENCHWARMERS_PUBLIC_URL"),
        ({"BENCHWARMERS_PUBLIC_URL": "https://bench.example.org/path"}, "without a path"),
        ({"BENCHWARMERS_PUBLIC_URL": "https://me:pw@bench.example.org"}, "BENCHWARMERS_PUBLIC_URL"),
        ({"BENCHWARMERS_PUBLIC_URL": "https://bench.example.org?x=1"}, "BENCHWARMERS_PUBLIC_URL"),
        ({"BENCHWARMERS_PUBLIC_URL": "ftp://bench.example.org"}, "BENCHWARMERS_PUBLIC_URL"),
        ({"BENCHWARMERS_PUBLIC_URL": "https://bench.example.org:99999"}, "BENCHWARMERS_PUBLIC_URL"),
        ({"BENCH_ALLOWED_HOSTS": "good.example:80,http://bad.example"}, "BENCH_ALLOWED_HOSTS"),
        ({"BENCH_TRUSTED_PROXIES": "10.0.0.0/8,proxy.example"}, "BENCH_TRUSTED_PROXIES has the entry 'proxy.example'"),
        ({"BENCH_TRUSTED_PROXIES": "10.0.0.1/8"}, "BENCH_TRUSTED_PROXIES"),
        ({"BENCH_DETECT_HOSTS": "127.0.0.1:11434"}, "hosts without ports"),
        ({"BENCH_DETECT_HOSTS": "http://gpu"}, "BENCH_DETECT_HOSTS has the entry 'http://gpu'"),
        ({"BENCH_ALLOWED_HOSTS": "*"}, "BENCH_ALLOWED_HOSTS"),
        ({"BENCH_ALLOWED_ORIGINS": "app.example"}, "BENCH_ALLOWED_ORIGINS"),
        ({"BENCH_ALLOWED_ORIGINS": "*"}, "BENCH_ALLOWED_ORIGINS"),
        ({"BENCHWARMERS_SECRET_KEY": "short"}, "32"),
        ({"BENCHWARMERS_VAULT_KEY": "not-a-fernet-key"}, "BENCHWARMERS_VAULT_KEY"),
        ({"BENCHWARMERS_LOG_LEVEL": "LOUD"}, "WARNING"),
        ({"BENCHWARMERS_TIME_ZONE": "Mars/Olympus"}, "Europe/Berlin"),
        ({"BENCHWARMERS_TIME_ZONE": "../../etc/passwd"}, "BENCHWARMERS_TIME_ZONE"),
        ({"BENCHWARMERS_SIGN_IN_PROVIDERS": "/nowhere/providers.json"}, "BENCHWARMERS_SIGN_IN_PROVIDERS"),
        ({"REDIS_URL": "localhost:6379"}, "REDIS_URL"),
        ({"REDIS_URL": "http://localhost"}, "REDIS_URL"),
        ({"REDIS_URL": "redis://localhost:notaport"}, "REDIS_URL"),
        ({"REDIS_URL": "redis+cluster://one:7000"}, "redis+sentinel://host:26379"),
        ({"REDIS_URL": "redis+sentinel://one:26379"}, "REDIS_URL"),
        ({"REDIS_URL": "redis+sentinel://one:26379/bench/first"}, "REDIS_URL"),
        ({"BENCH_WEB_PROCESSES": "0"}, "from 1 to 64"),
        ({"BENCH_WORKER_PROCESSES": "many"}, "BENCH_WORKER_PROCESSES"),
        ({"BENCH_DRAIN_S": "0"}, "above 0"),
        ({"BENCH_SEAT_S": "soon"}, "BENCH_SEAT_S"),
        ({"BENCH_SEAT_S": "0"}, "above 0"),
        ({"BENCH_ROUTE_TURN_S": "inf"}, "BENCH_ROUTE_TURN_S"),
        ({"BENCH_KEEPALIVE_S": "nan"}, "BENCH_KEEPALIVE_S"),
        ({"BENCH_STREAM_GRACE_S": "-1"}, "BENCH_STREAM_GRACE_S"),
        ({"BENCH_ROUTE_FIRST_PIECE_S": "1e9"}, "BENCH_ROUTE_FIRST_PIECE_S"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_sentence(tmp_path: Path, environ: dict[str, str], told: str) -> None:
    with pytest.raises(BadSetting) as refusal:
        read(tmp_path, **environ)
    sentence = str(refusal.value)
    assert told in sentence
    assert "\n" not in sentence
    assert all(name in sentence for name in environ if name != "BENCHWARMERS_TIME_ZONE") or "BENCH_BIND" in sentence


def test_a_refusal_never_repeats_a_secret(tmp_path: Path) -> None:
    for name, text in (
        ("BENCHWARMERS_VAULT_KEY", "half-a-key-of-mine"),
        ("BENCHWARMERS_ADMIN_TOKEN", "half-a-token"),
        ("BENCHWARMERS_SECRET_KEY", "half-a-secret"),
        ("REDIS_URL", "http://:hunter22@host"),
    ):
        with pytest.raises(BadSetting) as refusal:
            read(tmp_path, **{name: text})
        assert text not in str(refusal.value)
        assert "hunter22" not in str(refusal.value)


def test_the_configuration_does_not_show_its_secrets(tmp_path: Path) -> None:
    key = "dGVzdC1rZXktb25seS1mb3ItdGVzdHMtMzItYnl0ZXM="
    bench = read(
        tmp_path, BENCHWARMERS_ADMIN_TOKEN=TOKEN, BENCHWARMERS_VAULT_KEY=key, REDIS_URL="redis://:hunter22@h/0"
    )
    assert not any(secret in repr(bench) for secret in (TOKEN, key, "hunter22"))


@pytest.mark.parametrize("word", ["", "0", "false", "No", "OFF", "  "])
def test_words_for_off_leave_keys_off(tmp_path: Path, word: str) -> None:
    assert not read(tmp_path, BENCHWARMERS_REQUIRE_KEYS=word).require_keys


@pytest.mark.parametrize("word", ["1", "true", "yes", "flase"])
def test_anything_else_asks_for_keys(tmp_path: Path, word: str) -> None:
    assert read(tmp_path, BENCHWARMERS_REQUIRE_KEYS=word).require_keys


def test_an_admin_token_asks_for_keys_and_allows_an_open_bind(tmp_path: Path) -> None:
    bench = read(tmp_path, BENCHWARMERS_ADMIN_TOKEN=TOKEN, BENCH_BIND="0.0.0.0")
    assert bench.require_keys
    assert bench.address == "http://127.0.0.1:8122"


def test_every_served_port_and_the_public_address_are_allowed(tmp_path: Path) -> None:
    bench = read(
        tmp_path,
        BENCH_PORT="9000",
        BENCH_GATEWAY_PORT="9001",
        BENCHWARMERS_PUBLIC_URL="https://Bench.example.org/",
        BENCH_ALLOWED_HOSTS="proxy.example:81, [fd00::1]:82",
        BENCH_ALLOWED_ORIGINS="https://app.example",
    )
    assert {"127.0.0.1:9000", "localhost:9001", "proxy.example:81", "[fd00::1]:82", "bench.example.org"} <= set(
        bench.allowed_hosts
    )
    assert {"https://bench.example.org", "https://app.example", "http://proxy.example:81"} <= set(bench.allowed_origins)
    assert bench.address == "https://bench.example.org"
    assert bench.ports == (9000, 9001)


def test_a_long_home_gets_a_short_socket(tmp_path: Path) -> None:
    home = tmp_path / ("x" * 90)
    assert len(os.fsencode(own_socket(home))) <= 100
    assert own_socket(home) == own_socket(home)
    assert own_socket(home) != own_socket(tmp_path / ("y" * 90))


def test_the_database_is_sqlite_with_a_write_lock_at_begin(tmp_path: Path) -> None:
    made = database(None, tmp_path)
    assert made["NAME"] == tmp_path / "benchwarmers.sqlite3"
    assert made["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in made["OPTIONS"]["init_command"]
    assert database("sqlite:////elsewhere/b.db", tmp_path)["NAME"] == Path("/elsewhere/b.db")


def test_a_postgres_address_is_taken_apart(tmp_path: Path) -> None:
    made = database("postgres://me:p%40ss@db.example:5433/bench?sslmode=require", tmp_path)
    assert (made["USER"], made["PASSWORD"], made["HOST"], made["PORT"]) == ("me", "p@ss", "db.example", "5433")
    assert (made["NAME"], made["OPTIONS"]) == ("bench", {"connect_timeout": "5", "sslmode": "require"})


@pytest.mark.parametrize("url", ["mysql://h/d", "postgres://h", "sqlite://", "nonsense", "postgres://h:x/d"])
def test_another_database_is_refused_without_showing_the_address(tmp_path: Path, url: str) -> None:
    with pytest.raises(BadSetting, match="DATABASE_URL must be"):
        database(url, tmp_path)


def test_the_broker_reads_the_same_address_in_its_own_spelling() -> None:
    assert broker_url("unix:///a/b.sock") == "redis+socket:///a/b.sock?virtual_host=0"
    assert broker_url("unix:///a/b.sock?db=3") == "redis+socket:///a/b.sock?virtual_host=3"
    assert broker_url("redis://h:1/2") == "redis://h:1/2"


def test_secrets_are_made_once_private_and_read_again(tmp_path: Path) -> None:
    assert make_secrets(read(tmp_path))
    first = read(tmp_path)
    assert first.secret_key is not None
    assert len(first.vault_keys) == 1
    assert not make_secrets(first)
    assert read(tmp_path) == first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["secret-key", "vault-key"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}


def test_a_held_home_is_refused_with_the_holder_named(tmp_path: Path) -> None:
    make_home(tmp_path)
    lock = hold_home(tmp_path)
    with pytest.raises(BadSetting, match=f"process {os.getpid()}"):
        hold_home(tmp_path)
    os.close(lock)
    os.close(hold_home(tmp_path))


def test_a_bad_value_ends_a_command_with_one_line_and_no_traceback(tmp_path: Path) -> None:
    environ = {"PATH": os.environ["PATH"], "BENCHWARMERS_HOME": str(tmp_path), "BENCH_PORT": "x"}
    ended = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=ROOT, env=environ, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("benchwarmers: BENCH_PORT is 'x'")
    assert ended.stderr.count("\n") == 1


def test_settings_import_without_a_home_and_make_nothing(tmp_path: Path) -> None:
    home = tmp_path / "absent"
    environ = {"PATH": os.environ["PATH"], "BENCHWARMERS_HOME": str(home)}
    subprocess.run([sys.executable, "-c", "import benchwarmers.settings"], cwd=ROOT, env=environ, check=True)
    assert not home.exists()
