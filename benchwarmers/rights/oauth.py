"""The rules of the routes by which programs are signed in. A program has no credential of the server's yet: the view
checks what it sends. The person it asks for has a session."""

from __future__ import annotations

from typing import Final

from benchwarmers.rights.rule import ANYONE, SIGNED_IN, Row

OAUTH: Final = {
    "oauth:resource": Row(read=ANYONE),
    "oauth:resource-mcp": Row(read=ANYONE),
    "oauth:resource-v1": Row(read=ANYONE),
    "oauth:server": Row(read=ANYONE),
    "oauth:authorize": Row(read=SIGNED_IN, write=SIGNED_IN),
    "oauth:token": Row(write=ANYONE),
    "oauth:revoke": Row(write=ANYONE),
    "oauth:register": Row(write=ANYONE),
}
