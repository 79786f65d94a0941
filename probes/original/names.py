"""Finds models by any name that they ever had."""

from __future__ import annotations

from collections_app.aliases import AliasLoop, follow_alias
from collections_app.models import AliasHistory, LanguageModel


class Aliases:
    """Finds the model that was called by a name at some time."""

    def __init__(self) -> None:
        self._models = {row.alias: row for row in LanguageModel.objects.select_related("endpoint")}
        self._renamed = dict(AliasHistory.objects.values_list("old", "new"))

    def find(self, alias: str) -> LanguageModel | None:
        try:
            return self._models.get(follow_alias(alias, self._renamed))
        except AliasLoop:
            return None
