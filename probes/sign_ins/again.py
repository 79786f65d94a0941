"""Whether an endpoint may sign in again: only one that was signed in to this very provider, and whose key is the stored
one."""

from __future__ import annotations

import os

from collections_app.actions.endpoint_key import key_name_of
from collections_app.actions.sign_in import REFRESH
from collections_app.models import SignIn
from collections_app.secret_headers import SECRET_NAME
from gateway.canon.names import key_variable
from probes.sign_ins.providers import Provider


def again_problem(provider: Provider, name: str) -> str:
    """Why not, as a sentence; empty when it may, and for a sign-in that makes a new endpoint."""
    if not name:
        return ""
    row = SignIn.objects.select_related("endpoint").filter(endpoint__name=name, provider=provider.id).first()
    if row is None:
        return f"{name} is no endpoint that was signed in there; a new sign-in makes an endpoint of its own."
    key = key_name_of(row.endpoint)
    variable = key_variable(key)
    if os.environ.get(variable, "").strip():
        return f"{name} takes its key from {variable}, which a sign-in cannot change; remove that variable first."
    if SECRET_NAME.fullmatch(key + REFRESH) is None:
        return f"The key of {name} has a name that is too long to keep a second secret beside it; shorten it first."
    return ""
