"""Which environment variables may be named as holding a provider's key. Whoever may add an endpoint can have its key
sent anywhere, so not every variable of the server is theirs to name.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import Final

from django.conf import settings

from collections_app.vault import is_own_variable

USUAL: Final = ("*_API_KEY", "BENCHWARMERS_KEY_*", "HF_TOKEN", "DEEPINFRA_TOKEN")
"""What providers call their keys, and the gateway's own name for one."""
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
NOT_A_KEY: Final = "Name an environment variable that holds the provider's key, not one of the gateway's own settings."
NOT_USUAL: Final = (
    "{name} is not among the variables that may be named here: {patterns}. Whoever runs the server adds it to "
    "BENCH_KEY_VARIABLES, or names it in a set-up file."
)


def variable_problem(variable: str, *, by_operator: bool = False, kept: str = "") -> str:
    """Why an endpoint may not take its key from this variable, as a sentence; empty when it may.

    Whoever runs the server may name any that is not the gateway's own, for they read them all anyway. What the
    endpoint names already (`kept`) it may go on naming.
    """
    if not variable:
        return ""
    if _VARIABLE.fullmatch(variable) is None or is_own_variable(variable):
        return NOT_A_KEY
    patterns = (*USUAL, *settings.BENCH.key_variables)
    if by_operator or variable == kept or any(fnmatchcase(variable.upper(), one.upper()) for one in patterns):
        return ""
    return NOT_USUAL.format(name=variable, patterns=", ".join(patterns))
