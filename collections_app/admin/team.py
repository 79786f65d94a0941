"""Teams in the admin."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model
from django.http import HttpRequest

from collections_app.actions.team import do_remove_team, do_save_team
from collections_app.admin_base import ActionAdmin, ActionForm
from collections_app.models import Team


class TeamForm(ActionForm):
    """A team that is there keeps its name here; it is renamed on its own page."""

    class Meta:
        model = Team
        fields = ("name", "about", "members")

    def act(self) -> Model:
        values = self.cleaned_data
        name = self.instance.name if self.instance.pk else values["name"]
        members = [person.get_username() for person in values["members"]]
        return do_save_team(actor=self.actor, name=name, about=values["about"], members=members)


@admin.register(Team)
class TeamAdmin(ActionAdmin):
    """Removing one that owns something says what."""

    form = TeamForm
    thing = "team"
    list_display = ("name", "about", "created_at")
    search_fields = ("name", "about")
    filter_horizontal = ("members",)

    def get_readonly_fields(self, request: HttpRequest, obj: Team | None = None) -> tuple[str, ...]:
        return ("name",) if obj else ()

    def remove(self, actor: User, obj: Model) -> None:
        do_remove_team(actor=actor, name=str(obj))
