"""Where programs find what they need to be signed in, and whether they may be at all.

Addresses are those under which this request came in: a program that was given 127.0.0.1 stays there, one that was
given the public address stays at that. The guard has let no other host through.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from gateway.api.zones import plain_path

DESCRIBED: Final = "/.well-known/oauth-protected-resource"
RESOURCES: Final = ("/mcp", "/v1/mcp", "", "/")
"""What a program may ask tokens for: the context protocol, by either path or by the server's address alone."""


def offered() -> bool:
    """Whether programs are signed in here. Where no keys are asked for there is nothing to sign in to."""
    return bool(settings.BENCH.require_keys and settings.BENCH.sign_in.programs.offered)


def base_of(request: HttpRequest) -> str:
    """The server's address as this request named it, without a closing slash. It is also the issuer's name."""
    return _base(request.scheme or "http", request.get_host())


def resources_of(request: HttpRequest) -> frozenset[str]:
    """All names of the one resource there is."""
    return frozenset(base_of(request) + path for path in RESOURCES)


def described_at(scope: Any) -> str:
    """Where the resource that an ASGI request asks for is described; empty where programs are not signed in."""
    if not offered():
        return ""
    host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
    return _base(scope.get("scheme", "http"), host) + DESCRIBED + plain_path(scope["path"])


def describe_resource(base: str, path: str) -> dict[str, Any]:
    """RFC 9728: what stands at `path`, and who signs programs in to it."""
    return {
        "resource": base + path,
        "authorization_servers": [base],
        "scopes_supported": ["bench"],
        "bearer_methods_supported": ["header"],
        "resource_name": "Benchwarmers",
    }


def describe_server(base: str) -> dict[str, Any]:
    """RFC 8414: where programs register, are let in, and get tokens."""
    ways = settings.BENCH.sign_in.programs
    by_secret = ["client_secret_basic", "client_secret_post"]
    told = {
        "issuer": base,
        "authorization_endpoint": base + reverse("oauth:authorize"),
        "token_endpoint": base + reverse("oauth:token"),
        "revocation_endpoint": base + reverse("oauth:revoke"),
        "scopes_supported": ["bench"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none", *by_secret],
        "revocation_endpoint_auth_methods_supported": ["none", *by_secret],
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": ways.documents,
    }
    if ways.register:
        told["registration_endpoint"] = base + reverse("oauth:register")
    return told


def _base(scheme: str, host: str) -> str:
    public, host = settings.BENCH.public_url, host.lower()
    if public and urlsplit(public).netloc == host:
        return str(public)
    return f"{scheme}://{host}"
