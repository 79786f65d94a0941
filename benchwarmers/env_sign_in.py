"""Reads how people sign in from the environment: providers of single sign-on, who may come without an invitation, and
which programs they may sign in.

Standard library only, like `env`, which calls it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from benchwarmers import env_values as value
from benchwarmers.env_programs import ProgramSignIn, read_programs
from benchwarmers.env_values import BadSetting

_PROVIDER = re.compile(r"BENCHWARMERS_OIDC_([A-Z0-9]+)_(ISSUER|CLIENT_ID|CLIENT_SECRET|LABEL)")
_DOMAIN = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+")
OPEN_GROUPS = ("viewer", "caller", "curator")
"""Into which groups people may come by themselves: never into the one that may do everything."""


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider of single sign-on. `name` stands in its callback address, `label` on its button."""

    name: str
    label: str
    issuer: str
    client_id: str
    client_secret: str = field(repr=False, default="")


@dataclass(frozen=True, slots=True)
class SignIn:
    """`sign_up` is the group of people whom a provider vouches for and nobody knows yet; empty lets none of them in.
    With `domains`, only those whose confirmed address is in one of them."""

    providers: tuple[Provider, ...] = ()
    match_email: bool = True
    sign_up: str = ""
    domains: tuple[str, ...] = ()
    programs: ProgramSignIn = field(default_factory=ProgramSignIn)


def read_sign_in(env: Mapping[str, str]) -> SignIn:
    """What the variables say.

    :raises BadSetting: an incomplete provider, an address that cannot be one, or an unknown group.
    """
    found: dict[str, dict[str, str]] = {}
    for variable, text in env.items():
        if match := _PROVIDER.fullmatch(variable):
            found.setdefault(match[1], {})[match[2]] = text
        elif variable.startswith("BENCHWARMERS_OIDC_"):
            raise BadSetting(
                f"{variable} is no setting; write BENCHWARMERS_OIDC_<NAME>_ISSUER, _CLIENT_ID, _CLIENT_SECRET "
                "or _LABEL, with a name of letters and digits."
            )
    sign_up = env.get("BENCHWARMERS_SIGN_UP", "").lower()
    if sign_up in value.OFF_WORDS:
        sign_up = ""
    elif sign_up not in OPEN_GROUPS:
        raise BadSetting(f"BENCHWARMERS_SIGN_UP is {sign_up!r}; it must be one of {', '.join(OPEN_GROUPS)}, or off.")
    return SignIn(
        providers=tuple(_provider(name, texts) for name, texts in sorted(found.items())),
        match_email=value.switch(env.get("BENCHWARMERS_MATCH_EMAIL", "on")),
        sign_up=sign_up,
        domains=tuple(_domain(word) for word in value.words(env.get("BENCHWARMERS_SIGN_UP_DOMAINS", ""))),
        programs=read_programs(env),
    )


def _provider(name: str, texts: Mapping[str, str]) -> Provider:
    for needed in ("ISSUER", "CLIENT_ID"):
        if needed not in texts:
            raise BadSetting(
                f"BENCHWARMERS_OIDC_{name}_{needed} is missing; a provider needs an issuer and a client id."
            )
    return Provider(
        name=name.lower(),
        label=texts.get("LABEL", name.capitalize()),
        issuer=_issuer(f"BENCHWARMERS_OIDC_{name}_ISSUER", texts["ISSUER"]),
        client_id=texts["CLIENT_ID"],
        client_secret=texts.get("CLIENT_SECRET", ""),
    )


def _issuer(variable: str, text: str) -> str:
    """An https address; http only on this machine, where nobody listens in."""
    bare = text.removesuffix("/.well-known/openid-configuration").rstrip("/")
    try:
        parts = urlsplit(bare)
        host = parts.hostname or ""
        good = bool(host) and not parts.query and not parts.fragment and "@" not in parts.netloc and parts.port != 0
    except ValueError:
        good = False
    if good and (parts.scheme == "https" or (parts.scheme == "http" and host in {"127.0.0.1", "::1", "localhost"})):
        return bare
    raise BadSetting(
        f"{variable} is {text!r}; it must be the provider's https address, such as https://login.example.org/realms/all."
    )


def _domain(text: str) -> str:
    lowered = text.lower().removeprefix("@")
    if _DOMAIN.fullmatch(lowered):
        return lowered
    raise BadSetting(f"BENCHWARMERS_SIGN_UP_DOMAINS has the entry {text!r}; write domains such as example.org.")
