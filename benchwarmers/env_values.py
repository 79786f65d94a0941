"""Turns one environment variable's text into a typed value, or refuses it with a sentence.

Assumes nothing about the rest of the configuration: contradictions between variables are judged in `env`.
Never reads the environment, a file or the network; standard library only, so the supervisor stays small.
"""

from __future__ import annotations

import math
import re
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

from collections_app.redis_address import read_sentinels

OFF_WORDS = frozenset({"", "0", "false", "no", "off"})
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")

_HOST = re.compile(r"(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::(?P<port>\d{1,5}))?")
_VARIABLES = re.compile(r"(?!\*+$)[A-Za-z0-9_*]{2,100}")
_FERNET_KEY = re.compile(r"[A-Za-z0-9_-]{43}=")


class BadSetting(Exception):
    """A variable's value cannot be used; the text is one whole sentence for the operator."""


def switch(text: str) -> bool:
    """True for anything but the words for off, so that a misspelt "yes" still asks for keys."""
    return text.strip().lower() not in OFF_WORDS


def port(name: str, text: str) -> int:
    """A TCP port, 1-65535."""
    if text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= 65535:
        return int(text)
    raise BadSetting(f"{name} is {text!r}; it must be a port number from 1 to 65535.")


def seconds(name: str, text: str) -> float:
    """A positive, finite number of seconds, at most a day."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if 0 < value <= 86_400:
        return value
    raise BadSetting(f"{name} is {text!r}; it must be a number of seconds above 0 and at most 86400.")


def count(name: str, text: str, least: int, most: int) -> int:
    """A whole number within these bounds."""
    if text.isascii() and text.isdigit() and len(text) < 19 and least <= int(text) <= most:
        return int(text)
    raise BadSetting(f"{name} is {text!r}; it must be a whole number from {least} to {most}.")


def words(text: str) -> tuple[str, ...]:
    """The entries of a comma list, trimmed, empty ones left out, order kept."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def variables(name: str, text: str) -> tuple[str, ...]:
    """Names of variables, `*` in them standing for any letters; never all of them."""
    for word in words(text):
        if _VARIABLES.fullmatch(word) is None:
            raise BadSetting(f"{name} has the entry {word!r}; write names of variables, such as TEAM_KEY or TEAM_*.")
    return words(text)


def host(name: str, text: str) -> str:
    """A Host header value, lower case: `name`, `name:port` or `[v6]:port`."""
    lowered = text.lower()
    match = _HOST.fullmatch(lowered)
    if match is None or (match["port"] and not 1 <= int(match["port"]) <= 65535):
        raise BadSetting(f"{name} has the entry {text!r}; write host or host:port, without http:// and without *.")
    return lowered


def origin(name: str, text: str) -> str:
    """An origin as browsers send it: scheme, host and port only, lower case."""
    lowered = text.lower().rstrip("/")
    try:
        parts = urlsplit(lowered)
        good = parts.scheme in {"http", "https"} and lowered == f"{parts.scheme}://{parts.netloc}"
    except ValueError:
        good = False
    if not good or _HOST.fullmatch(urlsplit(lowered).netloc) is None:
        raise BadSetting(f"{name} is {text!r}; it must be http(s)://host[:port], without a path and without a name.")
    if (number := urlsplit(lowered).netloc.rpartition("]")[2].rpartition(":")[2]).isdigit():
        port(name, number)
    return lowered


def level(name: str, text: str) -> str:
    """One of the logging module's five level names, in capitals."""
    if text.upper() in LOG_LEVELS:
        return text.upper()
    raise BadSetting(f"{name} is {text!r}; it must be one of {', '.join(LOG_LEVELS)}.")


def one_of(name: str, text: str, known: tuple[str, ...]) -> str:
    """One of these words, in lower case."""
    if text.lower() in known:
        return text.lower()
    raise BadSetting(f"{name} is {text!r}; it must be {' or '.join(known)}.")


def web_address(name: str, text: str) -> str:
    """An http(s) address with its path."""
    try:
        parts = urlsplit(text)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise BadSetting(f"{name} is {text!r}; it must be an address such as http://127.0.0.1:4318/v1/traces.")
    return text


def zone(name: str, text: str) -> str:
    """An IANA time zone name that this machine knows."""
    if text == "UTC":
        return text
    from zoneinfo import ZoneInfo  # not needed for the default, and the supervisor stays small

    try:
        ZoneInfo(text)
    except (KeyError, ValueError, OSError, RecursionError):
        raise BadSetting(f"{name} is {text!r}; it must be a time zone such as Europe/Berlin or UTC.") from None
    return text


def vault_keys(name: str, text: str) -> tuple[str, ...]:
    """One or more Fernet keys, newest first. The value itself is never repeated in the refusal."""
    keys = words(text)
    if keys and all(_FERNET_KEY.fullmatch(key) for key in keys):
        return keys
    raise BadSetting(
        f"{name} is not a comma list of Fernet keys (44 characters of url-safe base64 each, newest first); "
        'make one with: python -c "import base64,os; print(base64.urlsafe_b64encode(os.urandom(32)).decode())"'
    )


def redis_url(name: str, text: str) -> str:
    """A Redis address: redis://, rediss:// or unix:///path in redis-py's spelling, or sentinels as `read_sentinels` has
    them."""
    if text.startswith(("redis+cluster:", "rediss+cluster:", "rediss+sentinel:")):
        raise BadSetting(
            f"{name} names a cluster, or sentinels behind TLS; what can be used is one primary, "
            "redis://host[:port][/number] or rediss://..., or the sentinels that know it, "
            "redis+sentinel://host:26379,host:26379/service."
        )
    try:
        parts = urlsplit(text)
        good = (
            read_sentinels(text) is not None
            or (parts.scheme in {"redis", "rediss"} and bool(parts.hostname) and parts.port != 0)
            or (parts.scheme == "unix" and not parts.hostname and len(parts.path) > 1)
        )
    except ValueError:
        good = False
    if good:
        return text
    raise BadSetting(
        f"{name} must be redis://host[:port][/number], rediss://..., unix:///path/to/socket or "
        "redis+sentinel://host:26379,host:26379/service."
    )


def bind(name: str, text: str) -> str:
    """An address to listen on: an IP address or `localhost`."""
    bare = text.strip("[]")
    if bare.lower() == "localhost":
        return "127.0.0.1"
    try:
        return str(ip_address(bare))
    except ValueError:
        raise BadSetting(
            f"{name} is {text!r}; it must be an address of this machine such as 127.0.0.1, ::1 or 0.0.0.0."
        ) from None


def networks(name: str, text: str) -> tuple[str, ...]:
    """Addresses and networks of a comma list, each as a network: `10.0.0.7` is `10.0.0.7/32`."""
    found = []
    for word in words(text):
        try:
            found.append(str(ip_network(word)))
        except ValueError:
            raise BadSetting(
                f"{name} has the entry {word!r}; write an address such as 10.0.0.7 or a network such as 10.0.0.0/24."
            ) from None
    return tuple(found)


def is_loopback(address: str) -> bool:
    """True when only this machine can reach the address."""
    return ip_address(address).is_loopback
