"""Aliases in the admin: which name of a client asks which collection."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model
from django.http import HttpRequest

from collections_app.actions.alias import do_remove_alias, do_save_alias
from collections_app.admin_base import ActionAdmin, ActionForm
from collections_app.models import ModelAlias


class AliasForm(ActionForm):
    """An alias that has another name is another alias."""

    class Meta:
        model = ModelAlias
        fields = ("name", "target", "mode")

    def act(self) -> Model:
        values = self.cleaned_data
        name = self.instance.name if self.instance.pk else values["name"]
        asked = ModelAlias(name=name, target=values["target"], mode=values["mode"])
        return do_save_alias(actor=self.actor, name=name, target=asked.full_name)


@admin.register(ModelAlias)
class ModelAliasAdmin(ActionAdmin):
    """The name stays; where it leads can be changed."""

    form = AliasForm
    thing = "alias"
    list_display = ("name", "full_name")
    list_filter = ("target",)
    list_select_related = ("target",)
    search_fields = ("name", "target__name")

    def get_readonly_fields(self, request: HttpRequest, obj: ModelAlias | None = None) -> tuple[str, ...]:
        return ("name",) if obj else ()

    def remove(self, actor: User, obj: Model) -> None:
        assert isinstance(obj, ModelAlias)  # noqa: S101  # this page shows nothing else
        do_remove_alias(actor=actor, name=obj.name)
