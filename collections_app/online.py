"""Changes to large tables while everybody goes on writing, for migrations."""

from __future__ import annotations

from typing import Any

from django.db.migrations import AddIndex


class AddIndexOnline(AddIndex):
    """An index that on Postgres is built beside the writers (CONCURRENTLY) and on SQLite as any other. Its migration
    says `atomic = False`; one that was broken off leaves half an index, which the next run removes first."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor != "postgresql" or schema_editor.connection.in_atomic_block:
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            schema_editor.remove_index(model, self.index, concurrently=True)
            schema_editor.add_index(model, self.index, concurrently=True)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor != "postgresql" or schema_editor.connection.in_atomic_block:
            super().database_backwards(app_label, schema_editor, from_state, to_state)
            return
        model = from_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            schema_editor.remove_index(model, self.index, concurrently=True)
