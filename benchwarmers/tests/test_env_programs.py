"""How programs are signed in, read from the environment."""

from __future__ import annotations

import pytest

from benchwarmers.env_programs import ProgramSignIn, read_programs
from benchwarmers.env_values import BadSetting

WAYS = "BENCHWARMERS_PROGRAM_SIGN_IN"
REDIRECTS = "BENCHWARMERS_PROGRAM_REDIRECTS"


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, ProgramSignIn(register=True, documents=True)),
        ({WAYS: "off"}, ProgramSignIn(register=False, documents=False)),
        ({WAYS: "Documents"}, ProgramSignIn(register=False, documents=True)),
        ({WAYS: "register"}, ProgramSignIn(register=True, documents=False)),
        ({REDIRECTS: "a://b/c, d://e"}, ProgramSignIn(redirects=("a://b/c", "d://e"))),
    ],
)
def test_what_the_variables_say(given: dict[str, str], wanted: ProgramSignIn) -> None:
    assert read_programs(given) == wanted
    assert wanted.offered == (given.get(WAYS) != "off")


@pytest.mark.parametrize("given", [{WAYS: "register,all"}, {REDIRECTS: "cursor"}, {REDIRECTS: "a://b#c"}])
def test_what_cannot_be_meant_is_refused_in_a_sentence(given: dict[str, str]) -> None:
    with pytest.raises(BadSetting, match=r"\.$"):
        read_programs(given)
