"""Reads from the environment how e-mail leaves: one address of a server, and who it is from.

Standard library only, like `env`, which calls it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from benchwarmers.env_values import BadSetting

SENDER = "benchwarmers@localhost"
PORTS = {"smtp": 587, "smtps": 465}


@dataclass(frozen=True, slots=True)
class Mail:
    """A server for outgoing e-mail; without a host nothing is sent. `tls` is from the first byte on; otherwise STARTTLS
    is used unless `plain`."""

    host: str = ""
    port: int = 0
    user: str = ""
    password: str = field(repr=False, default="")
    tls: bool = False
    plain: bool = False
    sender: str = SENDER


def read_mail(env: Mapping[str, str]) -> Mail:
    """What the variables say.

    :raises BadSetting: an address that cannot be one; its password is never repeated.
    """
    sender = env.get("BENCHWARMERS_MAIL_FROM", SENDER)
    if "@" not in sender.strip("@") or any(letter in sender for letter in "\r\n"):
        raise BadSetting(f"BENCHWARMERS_MAIL_FROM is {sender!r}; it must be an e-mail address.")
    text = env.get("BENCHWARMERS_SMTP_URL")
    if text is None:
        return Mail(sender=sender)
    try:
        parts = urlsplit(text)
        port, host = parts.port, parts.hostname
    except ValueError:
        port, host, parts = None, None, urlsplit("")
    if parts.scheme not in PORTS or not host or parts.path.strip("/") or port == 0:
        raise BadSetting(
            "BENCHWARMERS_SMTP_URL must be smtp://name:password@host:port, which speaks TLS after a greeting, "
            "smtps://... for TLS from the start, or smtp://host:port?plain for a server on this machine."
        )
    return Mail(
        host=host,
        port=port or PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        tls=parts.scheme == "smtps",
        plain=parts.query == "plain",
        sender=sender,
    )
