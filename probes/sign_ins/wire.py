"""What is sent to a provider and what its replies mean, for each flow. Pure: no clock, no network, no rows.

Texts of providers are for people: cut, on one line, and without the secrets that were sent.
"""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import quote, quote_plus, urlencode, urlsplit

import msgspec
from msgspec import Struct

from gateway.canon.blanks import blank
from probes.sign_ins.pkce import METHOD, challenge_of
from probes.sign_ins.providers import Provider

DEVICE_GRANT: Final = "urn:ietf:params:oauth:grant-type:device_code"
LARGEST: Final = 256_000
LONGEST_TOKEN: Final = 16_000
LONGEST_WORDS: Final = 200
LONGEST_LIFE_S: Final = 10 * 365 * 86_400
SLOWER_S: Final = 5
USUAL_INTERVAL_S: Final = 5
LONGEST_INTERVAL_S: Final = 300
_FORM: Final = "application/x-www-form-urlencoded"


class SignInFailed(Exception):
    """Why a sign-in or its renewal came to nothing, as a sentence. `final`: the provider said no, and asking again
    would bring the same; otherwise it could not be asked."""

    def __init__(self, sentence: str, *, final: bool = True) -> None:
        super().__init__(sentence)
        self.final = final


class Wanted(Struct, frozen=True):
    """A request. `secrets` are those in its body, which no text about its reply may repeat."""

    url: str
    body: bytes
    content_type: str
    secrets: tuple[str, ...] = ()
    method: str = "POST"


class Reply(Struct, frozen=True):
    """What came back. Redirects come as they are."""

    status: int
    body: bytes


class Granted(Struct, frozen=True):
    """A token, and in how many seconds it ends where that was said."""

    token: str
    refresh: str = ""
    expires_in: int | None = None


class Waiting(Struct, frozen=True):
    """Nobody has agreed yet. `slower`: we ask too often."""

    slower: bool = False


class DeviceCode(Struct, frozen=True):
    """What a person types where, and how often we may ask, in seconds."""

    device_code: str
    user_code: str
    verify_url: str
    interval: int = USUAL_INTERVAL_S
    expires_in: int | None = None


def authorize_url(
    provider: Provider, *, state: str, verifier: str, redirect: str, client_id: str, more: Mapping[str, str]
) -> str:
    """The page where a person agrees. `more` are what else it wants to know of us."""
    query = {"state": state, "code_challenge": challenge_of(verifier), "code_challenge_method": METHOD}
    if provider.flow == "key":
        query["callback_url"] = redirect
    else:
        query |= {"response_type": "code", "client_id": client_id, "redirect_uri": redirect}
    if provider.scope:
        query["scope"] = provider.scope
    return f"{provider.authorize}?{urlencode({**query, **provider.extras, **more})}"


def code_request(provider: Provider, *, code: str, verifier: str, redirect: str, client_id: str) -> Wanted:
    """The exchange of what the callback brought."""
    if provider.flow == "key":
        body = {"code": code, "code_verifier": verifier, "code_challenge_method": METHOD}
        return Wanted(provider.token, msgspec.json.encode(body), "application/json", (code, verifier))
    fields = {
        "grant_type": "authorization_code",
        "code": code,
        "client_id": client_id,
        "redirect_uri": redirect,
        "code_verifier": verifier,
    }
    return _form(provider, fields, (code, verifier))


def device_request(provider: Provider, *, client_id: str) -> Wanted:
    """Asks for a code that a person can type."""
    fields = {"client_id": client_id, **({"scope": provider.scope} if provider.scope else {})}
    if provider.device_json:
        return Wanted(provider.device, msgspec.json.encode(fields), "application/json")
    return Wanted(provider.device, urlencode(fields).encode(), _FORM)


def poll_request(provider: Provider, *, device_code: str, client_id: str) -> Wanted:
    """Asks whether somebody has typed it."""
    fields = {"grant_type": DEVICE_GRANT, "device_code": device_code, "client_id": client_id}
    return _form(provider, fields, (device_code,))


def renew_request(provider: Provider, *, refresh: str, client_id: str) -> Wanted:
    """Asks for a new token."""
    return _form(
        provider, {"grant_type": "refresh_token", "refresh_token": refresh, "client_id": client_id}, (refresh,)
    )


def read_granted(wanted: Wanted, reply: Reply) -> Granted:
    """The token. Raises SignInFailed."""
    found = read_poll(wanted, reply)
    if isinstance(found, Waiting):
        raise SignInFailed("the provider says that nobody has agreed yet")
    return found


def read_poll(wanted: Wanted, reply: Reply) -> Granted | Waiting:
    """The token, or that it is still to come. Raises SignInFailed."""
    document = _document(wanted, reply)
    if (error := document.get("error")) in ("authorization_pending", "slow_down"):
        return Waiting(slower=error == "slow_down")
    _refuse(wanted, reply, document)
    token = _token(document.get("key")) or _token(document.get("access_token"))
    if not token:
        raise SignInFailed("the provider's reply holds no key and no token")
    return Granted(token, _token(document.get("refresh_token")), _seconds(document.get("expires_in"), LONGEST_LIFE_S))


def read_device(wanted: Wanted, reply: Reply) -> DeviceCode:
    """The code. Raises SignInFailed."""
    document = _document(wanted, reply)
    _refuse(wanted, reply, document)
    code, typed = _token(document.get("device_code")), _word(document.get("user_code"))
    verify = _web(document.get("verification_uri_complete")) or _web(
        document.get("verification_uri") or document.get("verification_url")
    )
    if not (code and typed and verify):
        raise SignInFailed("the provider's reply holds no code, or no address at which to type it")
    interval = _seconds(document.get("interval"), LONGEST_INTERVAL_S) or USUAL_INTERVAL_S
    return DeviceCode(code, typed, verify, interval, _seconds(document.get("expires_in"), LONGEST_LIFE_S))


def read_refusal(error: str, description: str) -> str:
    """The sentence for an `error` that the callback brought."""
    return f"the provider says: {tidy(description) or tidy(error)}"


def tidy(text: str, secrets: Iterable[str] = ()) -> str:
    """The start of what a provider said, on one line, without secrets in any common spelling."""
    for secret in secrets:
        in_base64 = b64encode(secret.encode()).decode().rstrip("=")
        for spelled in (secret, quote(secret, safe=""), quote_plus(secret), in_base64):
            text = text.replace(spelled, "***")
    return blank(" ".join(text.split()))[:LONGEST_WORDS]


def _form(provider: Provider, fields: Mapping[str, str], secrets: tuple[str, ...]) -> Wanted:
    return Wanted(provider.token, urlencode({**fields, **provider.token_extras}).encode(), _FORM, secrets)


def _document(wanted: Wanted, reply: Reply) -> dict[str, Any]:
    host = urlsplit(wanted.url).hostname
    if 300 <= reply.status < 400:
        raise SignInFailed(f"{host} redirects a request for a token, which is not followed")
    if len(reply.body) > LARGEST:
        raise SignInFailed(f"the reply of {host} is larger than {LARGEST:,} bytes")
    try:
        found = msgspec.json.decode(reply.body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = None
    if isinstance(found, dict):
        return found
    if reply.status >= 500 or reply.status == 429:
        raise SignInFailed(f"{host} answers {reply.status}", final=False)
    said = tidy(reply.body.decode("utf-8", "replace"), wanted.secrets)
    raise SignInFailed(f"{host} answers {reply.status} with something that is no JSON object: {said}")


def _refuse(wanted: Wanted, reply: Reply, document: Mapping[str, Any]) -> None:
    error = document.get("error")
    if 200 <= reply.status < 300 and not error:
        return
    inner = error.get("message") if isinstance(error, dict) else error
    told = next((one for one in (document.get("error_description"), inner, document.get("message")) if one), "")
    words = tidy(str(told), wanted.secrets) if isinstance(told, str) else ""
    host = urlsplit(wanted.url).hostname
    final = reply.status < 500 and reply.status != 429 and error not in ("temporarily_unavailable", "server_error")
    raise SignInFailed(f"{host} says: {words}" if words else f"{host} answers {reply.status}", final=final)


def _token(value: Any) -> str:
    """As it may go into a header: one line of plain characters."""
    if not isinstance(value, str) or not 1 <= len(value) <= LONGEST_TOKEN:
        return ""
    return value if value.isascii() and value.isprintable() and " " not in value else ""


def _word(value: Any) -> str:
    return value.strip() if isinstance(value, str) and value.isprintable() and 1 <= len(value.strip()) <= 64 else ""


def _web(value: Any) -> str:
    """An address that a page may lead to."""
    if not isinstance(value, str) or len(value) > 500 or not value.isprintable() or " " in value:
        return ""
    try:
        parts = urlsplit(value)
    except ValueError:
        return ""
    return value if parts.scheme in ("http", "https") and parts.hostname else ""


def _seconds(value: Any, most: int) -> int | None:
    """Whole seconds above none; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(number) or number < 1:
        return None
    return int(min(number, most))
