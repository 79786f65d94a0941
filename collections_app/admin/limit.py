"""The limits of connections in the admin."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model
from django.http import HttpRequest

from collections_app.actions.limit import AXES, do_remove_limit, do_save_limit
from collections_app.admin_base import ActionAdmin, ActionForm
from collections_app.models import ConnectionLimit
from collections_app.refusal import Refused


class LimitForm(ActionForm):
    """What a connection may be sent; an empty field is no limit."""

    class Meta:
        model = ConnectionLimit
        fields = ("connection", *AXES)
        labels = {
            "rpm": "Requests a minute",
            "rpd": "Requests a day",
            "rpmo": "Requests a month",
            "tpm": "Tokens a minute",
            "tpd": "Tokens a day",
            "parallel": "Calls at once",
        }
        help_texts = {
            "connection": "An endpoint or, behind a hub, what the tags of its models begin with.",
            "rpd": "24 hours back.",
            "rpmo": "A calendar month of UTC.",
        }

    def act(self) -> Model:
        values = dict(self.cleaned_data)
        name = values.pop("connection", "")
        return do_save_limit(actor=self.actor, name=self.instance.connection if self.instance.pk else name, **values)

    def show(self, refusal: Refused) -> None:
        super().show(Refused([("connection" if where == "name" else where, why) for where, why in refusal.problems]))


@admin.register(ConnectionLimit)
class ConnectionLimitAdmin(ActionAdmin):
    """The connection stays; its limits can be changed."""

    form = LimitForm
    thing, told_as = "limit", "connection"
    list_display = ("connection", *AXES)
    search_fields = ("connection",)

    def get_readonly_fields(self, request: HttpRequest, obj: ConnectionLimit | None = None) -> tuple[str, ...]:
        return ("connection",) if obj else ()

    def remove(self, actor: User, obj: Model) -> None:
        assert isinstance(obj, ConnectionLimit)  # noqa: S101  # this page shows nothing else
        do_remove_limit(actor=actor, name=obj.connection)
