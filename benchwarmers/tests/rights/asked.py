"""What programs ask of the gateway's Django routes, and what each key is answered: said apart from the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchwarmers.tests.rights.cast import Cast, bearer
from benchwarmers.tests.rights.routes import Found

DEAD = ("none", "nonsense", "revoked", "expired", "rotated", "inactive")
"""Keys that open nothing."""
OWN = ("open", "scoped")
"""Keys of olga's that reach what she asked in `bench/den`, and `bench/den` itself."""
ALIVE = (*OWN, "elsewhere", "red", "blue", "blue-scoped")


@dataclass(frozen=True)
class Wish:
    """One request: the thing of the cast that each parameter names, and the body of a POST in which a word that begins
    with @ stands for a thing. `answers` are the statuses by key, `otherwise` that of every other key that lives."""

    parameters: dict[str, str]
    answers: dict[str, int]
    otherwise: int
    body: dict[str, Any] | None = None
    query: str = ""

    def status(self, key: str) -> int:
        """What this key is answered."""
        return 401 if key in DEAD else self.answers.get(key, self.otherwise)


DEN = {"elsewhere": 404, "blue": 404, "blue-scoped": 404}
MINE = dict.fromkeys(OWN, 200)
"""Of a panel: a key of the team `red` reaches what was asked with it, which this was not."""
WISHES = {
    "gateway-models": Wish({}, {}, 200),
    "gateway-model": Wish({"model": "bench/den"}, DEN, 200),
    "gateway-tags": Wish({}, {}, 200),
    "gateway-running": Wish({}, {}, 200),
    "gateway-show": Wish({}, DEN, 200, {"model": "bench/den"}),
    "gateway-verdict": Wish({}, MINE, 404, {"call": "@call", "useful": True}),
    "gateway-pending": Wish({}, {}, 200, {"calls": ["@call"]}),
    "gateway-record": Wish({}, {"elsewhere": 403, "blue-scoped": 403}, 200, query="?collection=bench/den"),
    "gateway-panel": Wish({"panel": "@panel"}, MINE, 404),
    "gateway-panel-events": Wish({"panel": "@panel"}, MINE, 404),
}


def ask(cast: Cast, found: Found, key: str, wish: Wish) -> Any:
    """The answer to this wish with this key."""
    values = {name: _fill(cast, value) for name, value in wish.parameters.items()}
    where, headers = found.address(values) + wish.query, bearer(cast.secrets[key])
    client = cast.clients["anonymous"]
    if wish.body is None:
        return client.get(where, headers=headers)
    return client.post(where, _fill(cast, wish.body), content_type="application/json", headers=headers)


def _fill(cast: Cast, value: Any) -> Any:
    match value:
        case str():
            return cast.things[value[1:]] if value.startswith("@") else value
        case list():
            return [_fill(cast, one) for one in value]
        case dict():
            return {name: _fill(cast, one) for name, one in value.items()}
        case _:
            return value
