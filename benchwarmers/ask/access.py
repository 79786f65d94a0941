"""How a signed-in person's browser reaches the engine: the way in of every page that asks.

    browser ──form, session cookie, CSRF token──► Django view ──Asking──► Bench.open_run ──► panel or turn
              (the guard has compared Host and Origin, the table of rights has asked for `gateway.ask`)

There is no second engine and no key in between. `asgi` puts the process's one Bench into the ASGI scope of every page;
an async view takes it with `bench_of(request)`, makes an `Asking` of an Ask and of who asks (`asking_of`), and runs it
with `await bench.open_run(asking)`, as `gateway.api.consumer` does for a caller with a key. What refuses it is raised
as a `Fault` with a status and a sentence.

Who asks is the person (`Caller.owner_id`), either by themselves or with a key of theirs, which then brings its scope,
its rate and its budgets; what is used is counted for the person, and for the key. `load_asker` reads what that takes
from the database, so call it in a thread: `await sync_to_async(load_asker)(person, key)`.
"""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth.models import User
from django.http import HttpRequest
from msgspec import Struct

from benchwarmers.sight import visible_collections
from collections_app.models import Collection
from gateway.api.credentials import admit_key
from gateway.canon.ask import Ask
from gateway.canon.fault import BadRequest, Fault, Unavailable
from gateway.engine.bench import Bench
from gateway.engine.run import Asking
from gateway.engine.snapshot import Caller, Snapshot

BENCH: Final = "bench.bench"
"""Where in the ASGI scope of a page the process's Bench is."""


class Asker(Struct, frozen=True):
    """A person who asks. `key` is the id of the key they draw on, None for none; `withheld` the collections that this
    person does not see."""

    person: int
    name: str
    key: int | None = None
    withheld: frozenset[str] = frozenset()

    def identify(self, snapshot: Snapshot, now: float) -> Caller:
        """Who asks by this state of the catalogue, at `now` in epoch seconds. Raises the fault that refuses them."""
        if self.key is None:
            # No key can have a name with a space: conversations of the two never mix.
            return Caller(f"{self.name} (browser)", owner_id=self.person, withheld=self.withheld)
        mine = (key for key in snapshot.keys.values() if key.id == self.key and key.owner_id == self.person)
        if (key := next(mine, None)) is None:
            raise BadRequest("That key is revoked or not yours; choose another, or none.", code="key")
        who = admit_key(key, now)
        if isinstance(who, Fault):
            raise who
        return who


def load_asker(person: User, key: int | None = None) -> Asker:
    """The person as they ask now. One query; call it off the event loop."""
    seen = visible_collections(person).values("pk")
    withheld = Collection.objects.exclude(pk__in=seen).values_list("name", flat=True)
    return Asker(person.pk, person.get_username(), key, frozenset(withheld))


def asking_of(ask: Ask, asker: Asker, hints: dict[str, str] | None = None) -> Asking:
    """The request as the engine takes it. `hints` may name the conversation, as clients' headers do."""
    return Asking(ask, asker.identify, hints or {})


def bench_of(request: HttpRequest) -> Bench:
    """The Bench of this process. Raises Unavailable where pages are served without one."""
    scope: Any = getattr(request, "scope", {})
    bench = scope.get(BENCH)
    if not isinstance(bench, Bench):
        raise Unavailable("This process serves pages only and asks nobody; try again in a moment.", code="starting")
    return bench
