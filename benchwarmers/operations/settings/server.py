"""What only the environment says, to be looked at: each value in words, and its variable. Never a secret."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from benchwarmers.env import Environment
from benchwarmers.env_programs import WAYS


@dataclass(frozen=True, slots=True)
class Line:
    """A value. `fixed` is true where the variable is set, and so decides."""

    label: str
    value: str
    variable: str
    fixed: bool


@dataclass(frozen=True, slots=True)
class Part:
    """Some values under a heading."""

    title: str
    lines: Sequence[Line]


def read_server(bench: Environment, environ: Mapping[str, str], *, with_folders: bool) -> list[Part]:
    """What this process was started with."""
    parts = [
        (_("Address"), _address(bench)),
        (_("Who may come in"), _access(bench)),
        (_("Where it may call"), _calls(bench)),
        (_("Where things are"), _places(bench, with_folders=with_folders)),
    ]
    return [
        Part(
            title,
            [Line(str(label), value, name, bool(environ.get(name, "").strip())) for label, name, value in lines],
        )
        for title, lines in parts
    ]


Lines = list[tuple[Promise | str, str, str]]


def _address(bench: Environment) -> Lines:
    return [
        (lazy("Listens on"), "BENCH_BIND", bench.bind),
        (lazy("Port of pages and gateway"), "BENCH_PORT", str(bench.port)),
        (lazy("Port of the gateway alone"), "BENCH_GATEWAY_PORT", str(bench.gateway_port or _("none"))),
        (lazy("Public address"), "BENCHWARMERS_PUBLIC_URL", bench.public_url or _("none")),
        (lazy("Hosts"), "BENCH_ALLOWED_HOSTS", ", ".join(bench.allowed_hosts)),
        (lazy("Origins of browsers"), "BENCH_ALLOWED_ORIGINS", ", ".join(bench.allowed_origins)),
        (lazy("Proxies in front"), "BENCH_TRUSTED_PROXIES", ", ".join(bench.trusted_proxies) or _("none")),
        (lazy("Time zone"), "BENCHWARMERS_TIME_ZONE", bench.time_zone),
    ]


def _access(bench: Environment) -> Lines:
    sign_in, programs = bench.sign_in, bench.sign_in.programs
    ways = ", ".join(way for way in WAYS if getattr(programs, way))
    providers = ", ".join(one.label for one in sign_in.providers)
    needed = _("needed by every caller") if bench.require_keys else _("callers on this machine need none")
    return [
        (lazy("Gateway keys"), "BENCHWARMERS_REQUIRE_KEYS", needed),
        (lazy("Admin token"), "BENCHWARMERS_ADMIN_TOKEN", _set(bool(bench.admin_token))),
        (lazy("Token of the metrics"), "BENCHWARMERS_METRICS_TOKEN", _set(bool(bench.metrics_token))),
        (lazy("Single sign-on"), "BENCHWARMERS_OIDC_<NAME>_ISSUER", providers or _("none")),
        (lazy("People whom nobody invited"), "BENCHWARMERS_SIGN_UP", sign_in.sign_up or _("stay out")),
        (lazy("Of the domains"), "BENCHWARMERS_SIGN_UP_DOMAINS", ", ".join(sign_in.domains) or _("any")),
        (lazy("Addresses join accounts"), "BENCHWARMERS_MATCH_EMAIL", _yes(sign_in.match_email)),
        (
            lazy("Programs make themselves known by"),
            "BENCHWARMERS_PROGRAM_SIGN_IN",
            ways or _("nothing: none is let in"),
        ),
        (
            lazy("More addresses to go back to"),
            "BENCHWARMERS_PROGRAM_REDIRECTS",
            ", ".join(programs.redirects) or _("none"),
        ),
    ]


def _calls(bench: Environment) -> Lines:
    return [
        (lazy("Private addresses"), "BENCH_ALLOW_PRIVATE", _yes(bench.allow_private)),
        (lazy("Public lists of models"), "BENCH_FEEDS", _yes(bench.feeds)),
        (lazy("Looks for model servers on"), "BENCH_DETECT_HOSTS", ", ".join(bench.detect_hosts) or _("nowhere")),
        (lazy("More variables with keys"), "BENCH_KEY_VARIABLES", ", ".join(bench.key_variables) or _("none")),
        (lazy("Outgoing e-mail"), "BENCHWARMERS_SMTP_URL", bench.mail.host or _("none is sent")),
        (lazy("E-mail is from"), "BENCHWARMERS_MAIL_FROM", bench.mail.sender),
        (lazy("Traces"), "BENCHWARMERS_OTLP_ENDPOINT", _set(bool(bench.otlp_endpoint))),
    ]


def _places(bench: Environment, *, with_folders: bool) -> Lines:
    database = (bench.database_url or "sqlite").partition(":")[0]
    lines: Lines = [
        (lazy("Database"), "DATABASE_URL", database if bench.database_url else _("SQLite in the data folder")),
        (lazy("Queue"), "REDIS_URL", _("a Valkey of its own") if bench.own_valkey else _("a server of yours")),
        (lazy("Log"), "BENCHWARMERS_LOG_LEVEL", bench.log_level),
        (lazy("Its form"), "BENCHWARMERS_LOG_FORMAT", bench.log_format),
    ]
    if with_folders:
        lines.insert(0, (lazy("Data folder"), "BENCHWARMERS_HOME", str(bench.home)))
    return lines


def _set(given: bool) -> str:
    return _("set") if given else _("not set")


def _yes(on: bool) -> str:
    return _("yes") if on else _("no")
