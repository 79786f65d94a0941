"""Keeps the last Snapshot and the keys of its endpoints, and reads them again when the catalogue's stamp has moved.

A request pays for a read only when something changed. Without Redis there is no stamp: the snapshot is then read again
once it is a second old. Even with an unmoved stamp it is renewed in the background every 15 seconds, since standings
and cooldowns move without one. While the database is away the last one serves on.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from django.db import InterfaceError, OperationalError

from collections_app import vault
from collections_app.ended import ended_sign_ins
from collections_app.secret_headers import opened_headers
from gateway.canon.fault import FailureClass, NotSent
from gateway.canon.names import key_variable
from gateway.engine.database import DatabaseThread
from gateway.engine.loading import load_other_endpoints, load_snapshot
from gateway.engine.snapshot import DecisionView, EndpointView, ModelView, Snapshot
from gateway.engine.upstreams import OpenHeaders, Upstream, upstream_of

AGE_WITHOUT_STAMP_S: Final = 1.0
AGE_S: Final = 15.0
PAUSE_S: Final = 1.0
log = logging.getLogger(__name__)


class Catalogue:
    """One per process."""

    def __init__(self, reader: DatabaseThread) -> None:
        self._reader = reader
        self._snapshot: Snapshot | None = None
        self._secrets: dict[str, str | None] = {}
        self._headers: dict[str, OpenHeaders] = {}
        self._ended: frozenset[str] = frozenset()
        self._upstreams: dict[int, tuple[ModelView, Upstream]] = {}
        self._read_at = 0.0
        self._away_until = 0.0
        self._lock = asyncio.Lock()
        self._renewal: asyncio.Task[None] | None = None

    @property
    def latest(self) -> Snapshot:
        """The last snapshot that was read."""
        if self._snapshot is None:
            raise RuntimeError("the catalogue has not been read yet")
        return self._snapshot

    def upstream_of(self, model: ModelView) -> Upstream:
        """How this model is called. Raises NotSent when it cannot be."""
        known = self._upstreams.get(model.id)
        if known is None or known[0] is not model:
            endpoint = model.endpoint
            opened = upstream_of(model, self.secret_of(endpoint), self.headers_of(endpoint))
            known = self._upstreams[model.id] = (model, opened)
        return known[1]

    def headers_of(self, endpoint: EndpointView) -> OpenHeaders:
        """The extra headers of an endpoint as they are sent. Raises NotSent when one names a secret that there is
        not."""
        found = self._headers.get(endpoint.name) or OpenHeaders(endpoint.headers)
        if found.missing:
            raise NotSent(
                f"a header of endpoint {endpoint.name} names the secret {found.missing}, which has no value or cannot "
                f"be opened: set {key_variable(found.missing)}, or store it in the admin",
                failure=FailureClass.SIGNIN,
            )
        return found

    def secret_of(self, endpoint: EndpointView) -> str:
        """The plain secret of an endpoint, empty when it has none. Raises NotSent when it cannot be opened, is named
        and missing, or came by a sign-in that has ended."""
        if endpoint.name in self._ended:
            raise NotSent(
                f"the sign-in of endpoint {endpoint.name} has ended: sign in again on the Endpoints page",
                failure=FailureClass.SIGNIN,
            )
        secret = self._secrets.get(endpoint.name, "")
        if secret is None:
            raise NotSent(
                f"the stored key of endpoint {endpoint.name} cannot be opened: enter it again",
                failure=FailureClass.SIGNIN,
            )
        if not secret and endpoint.key_env:
            raise NotSent(
                f"endpoint {endpoint.name} names a key that has no value: set {endpoint.key_env} or "
                f"{key_variable(endpoint.key_name)}, or store the key in the admin",
                failure=FailureClass.SIGNIN,
            )
        return secret

    def learn_quirks(self, model: ModelView, quirks: Iterable[str]) -> None:
        """What a model's dialect needs, known here before the database is read again."""
        if self._snapshot is not None:
            learned = msgspec.structs.replace(model, quirks={**model.quirks, **dict.fromkeys(quirks, True)})
            models = {**self._snapshot.models, model.alias: learned}
            self._snapshot = msgspec.structs.replace(self._snapshot, models=models)

    def learn(self, alias: str, changes: Mapping[str, Any]) -> None:
        """What a model was found to be, known here before the database is read again: fields of its view."""
        if self._snapshot is not None and changes and (model := self._snapshot.models.get(alias)) is not None:
            models = {**self._snapshot.models, alias: msgspec.structs.replace(model, **changes)}
            self._snapshot = msgspec.structs.replace(self._snapshot, models=models)

    async def current(self, stamp: str | None) -> Snapshot:
        """The snapshot for this stamp (None: Redis is away)."""
        snapshot = self._snapshot
        age = time.monotonic() - self._read_at
        if (
            snapshot is None
            or (stamp is None and age > AGE_WITHOUT_STAMP_S)
            or (stamp is not None and stamp != snapshot.stamp)
        ):
            return await self._read(stamp)
        if age > AGE_S and (self._renewal is None or self._renewal.done()):
            self._renewal = asyncio.create_task(self._renew(snapshot.stamp))
        return snapshot

    async def _renew(self, stamp: str) -> None:
        await self._read(stamp, renew=True)

    async def _read(self, stamp: str | None, *, renew: bool = False) -> Snapshot:
        asked_at = time.monotonic()
        async with self._lock:
            done = self._snapshot
            if not renew and done is not None and self._serves(done, stamp, asked_at):
                return done  # another request read it while this one waited
            began = time.monotonic()
            try:
                loaded = await self._reader.run(lambda: _load(stamp or ""))
            except (OperationalError, InterfaceError) as error:
                if done is None:
                    raise
                log.warning("the database does not answer (%s); going on with what was read before", error)
                self._away_until = began + PAUSE_S
                return done
            snapshot, self._secrets, self._headers, self._ended = loaded
            self._snapshot, self._read_at = snapshot, began
            self._upstreams.clear()  # a secret may have changed under the same model
            return snapshot

    def _serves(self, done: Snapshot, stamp: str | None, asked_at: float) -> bool:
        if time.monotonic() < self._away_until:
            return True
        return self._read_at >= asked_at if stamp is None else stamp == done.stamp


Loaded = tuple[Snapshot, dict[str, str | None], dict[str, OpenHeaders], frozenset[str]]


def _load(stamp: str) -> Loaded:
    snapshot = load_snapshot(stamp)
    called: list[ModelView | DecisionView] = [*snapshot.models.values(), *snapshot.decisions]
    endpoints = {model.endpoint.name: model.endpoint for model in called}
    # Also of those that no model hangs on: decision models are asked before they are registered.
    endpoints |= {view.name: view for view in load_other_endpoints(endpoints)}
    secrets = {name: _secret(view) for name, view in endpoints.items()}
    headers = {name: _headers(view) for name, view in endpoints.items() if view.headers}
    return snapshot, secrets, headers, ended_sign_ins(datetime.now(UTC))


def _headers(endpoint: EndpointView) -> OpenHeaders:
    try:
        sent, secrets = opened_headers(endpoint.headers, vault.secret_for)
    except LookupError as missing:
        return OpenHeaders({}, missing=str(missing.args[0]))
    except vault.VaultLocked as error:
        log.error("a header of endpoint %s: %s", endpoint.name, error)
        return OpenHeaders({}, missing="of that name")
    return OpenHeaders(sent, tuple(secrets))


def _secret(endpoint: EndpointView) -> str | None:
    """The plain secret, empty when there is none; None when it cannot be opened, which is no other endpoint's harm."""
    try:
        return vault.secret_for(endpoint.key_name, endpoint.key_env)
    except vault.VaultLocked as error:
        log.error("the key of endpoint %s: %s", endpoint.name, error)
        return None
