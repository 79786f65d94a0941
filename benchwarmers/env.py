"""Reads the environment into one frozen `Environment`, and refuses values that do not go together.

Decides every default. May read secret files in the data folder when they exist; never creates a file, never opens a
database or a socket, and imports only the standard library, because the supervisor and mypy's plugin import it too.
Every refusal is a `BadSetting` whose text names the variable and says what would be right.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchwarmers import env_values as value
from benchwarmers.env_backup import Backups, read_backups
from benchwarmers.env_limits import Limits, read_limits
from benchwarmers.env_mail import Mail, read_mail
from benchwarmers.env_sign_in import SignIn, read_sign_in
from benchwarmers.env_values import BadSetting

# sockaddr_un holds 104 bytes on macOS and 108 on Linux, the closing zero included.
LONGEST_SOCKET_PATH = 100
SECRET_KEY_FILE = "secret-key"  # noqa: S105 a file name
VAULT_KEY_FILE = "vault-key"
LOG_FORMATS = ("text", "json")
MOST_PROCESSES = 64


@dataclass(frozen=True, slots=True)
class Environment:
    """The configuration. Durations are seconds; hosts are lower case `host:port`; secrets stay out of repr."""

    home: Path
    bind: str
    port: int
    gateway_port: int | None
    web_processes: int
    worker_processes: int
    drain_s: float
    require_keys: bool
    public_url: str | None
    allowed_hosts: tuple[str, ...]
    allowed_origins: tuple[str, ...]
    trusted_proxies: tuple[str, ...]
    allow_private: bool
    detect_hosts: tuple[str, ...]
    key_variables: tuple[str, ...]
    feeds: bool
    own_valkey: bool
    log_level: str
    log_format: str
    time_zone: str
    seat_s: float
    route_first_piece_s: float
    route_turn_s: float
    route_grace_s: float
    keepalive_s: float
    stream_grace_s: float
    limits: Limits
    sign_in: SignIn
    sign_in_providers: Path | None
    mail: Mail
    backups: Backups
    database_url: str | None = field(repr=False)
    redis_url: str = field(repr=False)
    admin_token: str | None = field(repr=False)
    metrics_token: str | None = field(repr=False)
    otlp_endpoint: str | None
    secret_key: str | None = field(repr=False)
    vault_keys: tuple[str, ...] = field(repr=False)

    @property
    def ports(self) -> tuple[int, ...]:
        """Every port the web process serves, the dashboard's first."""
        return (self.port,) if self.gateway_port is None else (self.port, self.gateway_port)

    @property
    def socket_path(self) -> Path:
        """Where this home's own Valkey listens."""
        return own_socket(self.home)

    @property
    def address(self) -> str:
        """The address a person on this machine opens, without a closing slash."""
        if self.public_url:
            return self.public_url
        host = "127.0.0.1" if self.bind in {"0.0.0.0", "127.0.0.1"} else self.bind  # noqa: S104
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"


def read_environment(environ: Mapping[str, str] | None = None) -> Environment:
    """The configuration that these variables describe.

    :raises BadSetting: a value is malformed, or two values contradict each other.
    """
    env = {name: text.strip() for name, text in (os.environ if environ is None else environ).items() if text.strip()}
    home = read_home(env)
    port = value.port("BENCH_PORT", env.get("BENCH_PORT", "8122"))
    gateway_port = value.port("BENCH_GATEWAY_PORT", env["BENCH_GATEWAY_PORT"]) if "BENCH_GATEWAY_PORT" in env else None
    if gateway_port == port:
        raise BadSetting(f"BENCH_GATEWAY_PORT is {port}, the same as BENCH_PORT; give it another port or leave it out.")
    bind = value.bind("BENCH_BIND", env.get("BENCH_BIND", "127.0.0.1"))
    admin_token = _long_enough(env, "BENCHWARMERS_ADMIN_TOKEN")
    require_keys = admin_token is not None or value.switch(env.get("BENCHWARMERS_REQUIRE_KEYS", ""))
    if not require_keys and not value.is_loopback(bind):
        raise BadSetting(
            f"BENCH_BIND is {bind}, which other machines can reach, and nobody would be asked for a key; "
            "set BENCHWARMERS_ADMIN_TOKEN or BENCHWARMERS_REQUIRE_KEYS=1, or bind to 127.0.0.1."
        )
    public_url = env.get("BENCHWARMERS_PUBLIC_URL")
    if public_url is not None:
        public_url = value.origin("BENCHWARMERS_PUBLIC_URL", public_url)
    ports = [port] if gateway_port is None else [port, gateway_port]
    hosts = _allowed_hosts(env, ports, public_url)
    return Environment(
        home=home,
        bind=bind,
        port=port,
        gateway_port=gateway_port,
        web_processes=value.count("BENCH_WEB_PROCESSES", env.get("BENCH_WEB_PROCESSES", "1"), 1, MOST_PROCESSES),
        worker_processes=value.count(
            "BENCH_WORKER_PROCESSES", env.get("BENCH_WORKER_PROCESSES", "1"), 1, MOST_PROCESSES
        ),
        drain_s=value.seconds("BENCH_DRAIN_S", env.get("BENCH_DRAIN_S", "120")),
        require_keys=require_keys,
        public_url=public_url,
        allowed_hosts=hosts,
        allowed_origins=_allowed_origins(env, hosts, public_url),
        trusted_proxies=value.networks("BENCH_TRUSTED_PROXIES", env.get("BENCH_TRUSTED_PROXIES", "")),
        allow_private=value.switch(env.get("BENCH_ALLOW_PRIVATE", "")),
        feeds=value.switch(env.get("BENCH_FEEDS") or "on"),
        detect_hosts=_detect_hosts(env.get("BENCH_DETECT_HOSTS", "127.0.0.1")),
        key_variables=value.variables("BENCH_KEY_VARIABLES", env.get("BENCH_KEY_VARIABLES", "")),
        own_valkey="REDIS_URL" not in env,
        log_level=value.level("BENCHWARMERS_LOG_LEVEL", env.get("BENCHWARMERS_LOG_LEVEL", "INFO")),
        log_format=value.one_of("BENCHWARMERS_LOG_FORMAT", env.get("BENCHWARMERS_LOG_FORMAT", "text"), LOG_FORMATS),
        time_zone=value.zone("BENCHWARMERS_TIME_ZONE", env.get("BENCHWARMERS_TIME_ZONE", "UTC")),
        seat_s=value.seconds("BENCH_SEAT_S", env.get("BENCH_SEAT_S", "420")),
        route_first_piece_s=value.seconds("BENCH_ROUTE_FIRST_PIECE_S", env.get("BENCH_ROUTE_FIRST_PIECE_S", "90")),
        route_turn_s=value.seconds("BENCH_ROUTE_TURN_S", env.get("BENCH_ROUTE_TURN_S", "600")),
        route_grace_s=value.seconds("BENCH_ROUTE_GRACE_S", env.get("BENCH_ROUTE_GRACE_S", "15")),
        keepalive_s=value.seconds("BENCH_KEEPALIVE_S", env.get("BENCH_KEEPALIVE_S", "10")),
        stream_grace_s=value.seconds("BENCH_STREAM_GRACE_S", env.get("BENCH_STREAM_GRACE_S", "1.0")),
        limits=read_limits(env),
        sign_in=read_sign_in(env),
        sign_in_providers=_file(env, "BENCHWARMERS_SIGN_IN_PROVIDERS"),
        mail=read_mail(env),
        backups=read_backups(env),
        database_url=env.get("DATABASE_URL"),
        redis_url=value.redis_url("REDIS_URL", env.get("REDIS_URL", f"unix://{own_socket(home)}")),
        admin_token=admin_token,
        metrics_token=_long_enough(env, "BENCHWARMERS_METRICS_TOKEN"),
        otlp_endpoint=value.web_address("BENCHWARMERS_OTLP_ENDPOINT", env["BENCHWARMERS_OTLP_ENDPOINT"])
        if "BENCHWARMERS_OTLP_ENDPOINT" in env
        else None,
        secret_key=_secret_key(env, home),
        vault_keys=_vault_keys(env, home),
    )


def read_home(env: Mapping[str, str]) -> Path:
    """The data folder: `BENCHWARMERS_HOME`, else the place where this system keeps a user's data."""
    if given := env.get("BENCHWARMERS_HOME"):
        return Path(given).expanduser().absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "benchwarmers"
    data = env.get("XDG_DATA_HOME", "")
    return (Path(data) if data.startswith("/") else Path.home() / ".local" / "share") / "benchwarmers"


def own_socket(home: Path) -> Path:
    """The socket of this home's Valkey: in the home, or in a short private folder when that path would be too long."""
    path = home / "valkey.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    import hashlib  # both are large, and hardly any home needs them
    import tempfile

    short = hashlib.sha256(os.fsencode(home)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"benchwarmers-{short}" / "valkey.sock"


def _long_enough(env: Mapping[str, str], name: str) -> str | None:
    token = env.get(name)
    if token is not None and len(token) < 16:
        raise BadSetting(f"{name} has {len(token)} characters; it must have at least 16, or be left out.")
    return token


def _file(env: Mapping[str, str], name: str) -> Path | None:
    if name not in env:
        return None
    path = Path(env[name]).expanduser().absolute()
    if not path.is_file():
        raise BadSetting(f"{name} names no file; give the path of one, or leave it out.")
    return path


def _allowed_hosts(env: Mapping[str, str], ports: list[int], public_url: str | None) -> tuple[str, ...]:
    hosts = [f"{name}:{port}" for port in ports for name in ("127.0.0.1", "localhost", "[::1]")]
    hosts += [value.host("BENCH_ALLOWED_HOSTS", entry) for entry in value.words(env.get("BENCH_ALLOWED_HOSTS", ""))]
    if public_url is not None:
        hosts.append(public_url.partition("://")[2])
    return tuple(dict.fromkeys(hosts))


def _detect_hosts(given: str) -> tuple[str, ...]:
    """Hosts without ports; `off` for none."""
    hosts = [] if given.lower() == "off" else [value.host("BENCH_DETECT_HOSTS", entry) for entry in value.words(given)]
    if any(":" in host.rpartition("]")[2] for host in hosts):
        raise BadSetting("BENCH_DETECT_HOSTS names hosts without ports: 127.0.0.1,host.docker.internal, or off.")
    return tuple(dict.fromkeys(host.strip("[]") for host in hosts))


def _allowed_origins(env: Mapping[str, str], hosts: tuple[str, ...], public_url: str | None) -> tuple[str, ...]:
    origins = [f"http://{host}" for host in hosts]
    given = value.words(env.get("BENCH_ALLOWED_ORIGINS", ""))
    origins += [value.origin("BENCH_ALLOWED_ORIGINS", entry) for entry in given]
    if public_url is not None:
        origins.append(public_url)
    return tuple(dict.fromkeys(origins))


def _secret_key(env: Mapping[str, str], home: Path) -> str | None:
    given = env.get("BENCHWARMERS_SECRET_KEY")
    if given is not None and len(given) < 32:
        raise BadSetting(f"BENCHWARMERS_SECRET_KEY has {len(given)} characters; it must have at least 32.")
    return given or _file_text(home / SECRET_KEY_FILE)


def _vault_keys(env: Mapping[str, str], home: Path) -> tuple[str, ...]:
    if given := env.get("BENCHWARMERS_VAULT_KEY"):
        return value.vault_keys("BENCHWARMERS_VAULT_KEY", given)
    kept = _file_text(home / VAULT_KEY_FILE)
    return value.vault_keys(f"The file {home / VAULT_KEY_FILE}", kept.replace("\n", ",")) if kept else ()


def _file_text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="ascii").strip() or None
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"The secret file {path} cannot be read ({error}); make it readable or remove it.") from None
