"""What an operator states of a model, and how it is called. What a program does not name stays as it was said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct
from rest_framework.response import Response

from benchwarmers.api.models import HOLDS
from benchwarmers.api.view import ApiView, takes
from collections_app.actions.language_model import TOPIC, do_save_model, load_model
from collections_app.actions.stated import OPERATOR, do_state_facts
from collections_app.refusal import Problems

TABLES: Final = frozenset({"limits", "prices"})
"""Facts with an entry for each axis."""


class Facts(Struct):
    """What is stated. Null or nothing takes a fact back, in `limits` and `prices` an axis."""

    alias: str
    facts: dict[str, Any]


class Options(Struct):
    """How the model is called. Null or nothing for `max_tokens` leaves that to the request."""

    alias: str
    max_tokens: int | str | None


class FactsView(ApiView):
    """POST /api/model-facts."""

    @takes(Facts)
    def post(self, said: Facts) -> Response:
        """State facts beside those that are stated."""
        with self.changes(TOPIC) as changed:
            row = load_model(said.alias)
            before = dict(row.facts.filter(source=OPERATOR).values_list("field", "value"))
            stated = stated_with(before, said.facts)
            do_state_facts(actor=self.person, model=row, stated=stated)
        after = dict(row.facts.filter(source=OPERATOR).values_list("field", "value"))
        return self.done(alias=row.alias, stated=after, changed=changed, sync=HOLDS)


class OptionsView(ApiView):
    """POST /api/model-options."""

    @takes(Options)
    def post(self, said: Options) -> Response:
        """Set or clear the most tokens of an answer; other options stay."""
        most = said.max_tokens or None
        problems = Problems()
        problems.check(not isinstance(most, str), "max_tokens", "It is a whole number, or null for none.")
        problems.check(said.max_tokens != 0, "max_tokens", "It is a whole number from 1, or null for none.")
        problems.refuse()
        with self.changes(TOPIC) as changed:
            row = load_model(said.alias)
            row = do_save_model(
                actor=self.person,
                alias=row.alias,
                served=row.served,
                endpoint=row.endpoint.name,
                role=row.role,
                ad_hoc=row.ad_hoc,
                tag=row.tag,
                options={**row.options, "max_tokens": most},
            )
        return self.done(alias=row.alias, options=row.options, changed=changed, sync=HOLDS)


def stated_with(before: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """All that is stated once this is said too. Pure."""
    after = {**before, **said}
    for name in TABLES & said.keys():
        table, kept = said[name], before.get(name)
        if isinstance(table, dict) and isinstance(kept, dict | None):
            merged = {**(kept or {}), **table}
            after[name] = {axis: value for axis, value in merged.items() if value is not None and value != ""}
    return after
