"""Extra headers of an endpoint that carry a credential: they name a stored secret and never hold it.

`headers = { CF-Access-Client-Secret = "secret:cf-access" }` sends what the vault has under `cf-access`. So the header
may stand in the set-up file, in the change log and on pages, and is sealed at rest like every other secret.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

REFERENCE = "secret:"
SECRET_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,63}")
_CREDENTIAL = re.compile(
    r"(?:^|[-_.])(?:auth|authorization|cookies?|credentials?|jwt|passw(?:or)?d|pwd|signature)(?:$|[-_.])"
    r"|(?:key|token|secret)s?(?:$|[-_.])",
    re.IGNORECASE,
)
_KEY_SHAPED = re.compile(r"(?i:\b(?:bearer|basic) +\S)|\b(?:sk-|bwk_|AIza|gh[pousr]_|xox[a-z]-|eyJ[A-Za-z0-9_-]{8,}\.)")


def carries_credential(header: str, value: str) -> bool:
    """True when the name or the value looks like a credential that stands there in plain."""
    if value.startswith(REFERENCE):
        return False
    return bool(_CREDENTIAL.search(header) or _KEY_SHAPED.search(value))


def header_problem(header: str, value: str) -> str:
    """What is wrong with a value that is, or ought to be, a reference; one sentence, empty when nothing is."""
    if carries_credential(header, value):
        return (
            f"{header} carries a credential: store it as a secret and write {REFERENCE}its-name here; "
            "the endpoint's own key needs no header at all."
        )
    if value.startswith(REFERENCE) and SECRET_NAME.fullmatch(value.removeprefix(REFERENCE)) is None:
        return f"The value of {header} names no secret; write {REFERENCE} and the secret's name."
    return ""


def shown_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers as they may be seen: what looks like a credential, from times when it could be entered, is “set”."""
    return {name: "set" if carries_credential(name, value) else value for name, value in headers.items()}


def opened_headers(headers: Mapping[str, str], secret_for: Callable[[str], str]) -> tuple[dict[str, str], list[str]]:
    """The headers as they are sent, and the secrets among their values. `secret_for` gives the secret of a name.

    :raises LookupError: with the name of a secret that there is not.
    """
    sent, secrets = dict(headers), []
    for header, value in headers.items():
        if value.startswith(REFERENCE):
            name = value.removeprefix(REFERENCE)
            plain = secret_for(name)
            if not plain:
                raise LookupError(name)
            sent[header] = plain
            secrets.append(plain)
        elif carries_credential(header, value):
            secrets.append(value)
    return sent, secrets
