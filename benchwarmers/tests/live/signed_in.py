"""The official client of the context protocol as a program that somebody signs in, whose session does the browser's
part."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

BACK = "http://127.0.0.1:4711/callback"


@dataclass
class Kept:
    """What a program stores between two runs, and how often a person was asked."""

    tokens: Any = None
    client: Any = None
    asked: int = 0
    answer: dict[str, str] = field(default_factory=dict)

    async def get_tokens(self) -> Any:
        return self.tokens

    async def set_tokens(self, tokens: Any) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> Any:
        return self.client

    async def set_client_info(self, client_info: Any) -> None:
        self.client = client_info


def agree(person: httpx.Client, address: str) -> dict[str, str]:
    """Opens the address in the person's browser and lets the program in; what the program is told."""
    page = person.get(address)
    fields = dict(re.findall(r'name="(csrfmiddlewaretoken|request|scopes)" value="([^"]+)"', page.text))
    answer = person.post(address, data={**fields, "action": "grant"}, headers={"referer": address})
    assert answer.headers["location"].startswith(BACK), answer.text
    return dict(parse_qsl(urlsplit(answer.headers["location"]).query))


def provider_for(url: str, person: httpx.Client, kept: Kept) -> OAuthClientProvider:
    """Signs the program in where it is asked to; keeps what it learns in `kept`."""

    async def open_browser(address: str) -> None:
        kept.asked += 1
        kept.answer = agree(person, address)

    async def come_back() -> AuthorizationCodeResult:
        return AuthorizationCodeResult(**kept.answer)

    metadata = OAuthClientMetadata.model_validate({"client_name": "Official", "redirect_uris": [BACK]})
    return OAuthClientProvider(url, metadata, kept, open_browser, come_back)


@asynccontextmanager
async def connected(url: str, person: httpx.Client, kept: Kept) -> AsyncIterator[tuple[Any, OAuthClientProvider]]:
    """The official client, signed in, and what signs it in."""
    provider = provider_for(url, person, kept)
    async with (
        create_mcp_http_client(auth=provider) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client, provider
