"""Reads from the environment how programs are signed in by people. Standard library only, like `env`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchwarmers import env_values as value
from benchwarmers.env_values import BadSetting

WAYS = ("register", "documents")


@dataclass(frozen=True, slots=True)
class ProgramSignIn:
    """How a program makes itself known: it registers, or its id is the address of a document about it. Neither: no
    program is signed in. `redirects` are addresses that people may be sent back to although they are neither https
    nor on their own machine."""

    register: bool = True
    documents: bool = True
    redirects: tuple[str, ...] = ()

    @property
    def offered(self) -> bool:
        return self.register or self.documents


def read_programs(env: Mapping[str, str]) -> ProgramSignIn:
    """What the variables say.

    :raises BadSetting: an unknown word, or an address that is none.
    """
    text = env.get("BENCHWARMERS_PROGRAM_SIGN_IN", ",".join(WAYS)).lower()
    ways = () if text in value.OFF_WORDS else value.words(text)
    if unknown := set(ways) - set(WAYS):
        raise BadSetting(
            f"BENCHWARMERS_PROGRAM_SIGN_IN has the entry {min(unknown)!r}; write {' and '.join(WAYS)}, one of them, "
            "or off."
        )
    redirects = value.words(env.get("BENCHWARMERS_PROGRAM_REDIRECTS", ""))
    for one in redirects:
        if "://" not in one or "#" in one or any(letter.isspace() for letter in one):
            raise BadSetting(
                f"BENCHWARMERS_PROGRAM_REDIRECTS has the entry {one!r}; write whole addresses, such as "
                "editor://publisher/oauth/callback."
            )
    return ProgramSignIn("register" in ways, "documents" in ways, redirects)
