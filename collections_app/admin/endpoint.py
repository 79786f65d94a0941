"""Endpoints in the admin, with a write-only field for the key."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db.models import Case, F, Model, OuterRef, QuerySet, Subquery, When
from django.http import HttpRequest

from collections_app.actions.endpoint import TOPIC, do_make_default, do_remove_endpoint, do_save_endpoint
from collections_app.actions.endpoint_key import do_set_key
from collections_app.actions.practice import do_practice_off
from collections_app.actions.secret import is_mask
from collections_app.admin_asks import asks
from collections_app.admin_base import ActionAdmin, ActionForm, act_on_each, actor_of
from collections_app.journal import journal
from collections_app.models import Endpoint, Secret


class EndpointForm(ActionForm):
    """`new_secret` never shows what is stored; left empty, or with only dots in it, it changes nothing."""

    new_secret = forms.CharField(
        required=False,
        strip=True,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password", "class": "vTextField"}),
        help_text="The provider's key. Empty: leave the stored one.",
    )

    class Meta:
        model = Endpoint
        fields = (
            "name",
            "base",
            "kind",
            "api",
            "hub",
            "key_name",
            "key_env",
            "new_secret",
            "admin_key_name",
            "default",
            "headers",
            "models_url",
            "unlisted_models",
            "decisions_url",
            "quirks",
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "kind" in self.fields:
            self.fields["kind"].required = False
            self.fields["kind"].help_text = "Empty: told from the address."

    def act(self) -> Model:
        values = dict(self.cleaned_data)
        plain = values.pop("new_secret", "")
        if self.instance.pk:
            values["name"] = self.instance.name
        with journal(self.actor, TOPIC):
            row = do_save_endpoint(actor=self.actor, **values)
            if plain and not is_mask(plain):
                do_set_key(actor=self.actor, name=row.name, plain=plain)
        return row


@admin.register(Endpoint)
class EndpointAdmin(ActionAdmin):
    """The practice endpoint is marked as scripted, and removed whole."""

    form = EndpointForm
    thing = "endpoint"
    list_display = ("name", "base", "kind", "api", "default", "key", "is_scripted")
    list_filter = ("kind", "api", "default")
    search_fields = ("name", "base")
    actions = ("make_default", "practice_off")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Endpoint]:
        rows: QuerySet[Endpoint] = super().get_queryset(request)
        called = rows.annotate(called=Case(When(key_name="", then=F("name")), default=F("key_name")))
        stored = Secret.objects.filter(name=OuterRef("called")).values("hint")[:1]
        return called.annotate(stored_hint=Subquery(stored))

    def get_readonly_fields(self, request: HttpRequest, obj: Endpoint | None = None) -> tuple[str, ...]:
        return ("name",) if obj else ()

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        if isinstance(obj, Endpoint) and obj.scripted:
            return False
        return bool(super().has_change_permission(request, obj))

    def remove(self, actor: User, obj: Model) -> None:
        assert isinstance(obj, Endpoint)  # noqa: S101  # this page shows nothing else
        do_remove_endpoint(actor=actor, name=obj.name)

    @admin.display(boolean=True, description="scripted")
    def is_scripted(self, obj: Endpoint) -> bool:
        return obj.scripted

    @admin.display(description="stored key")
    def key(self, obj: Endpoint) -> str:
        hint: str | None = obj.stored_hint  # type: ignore[attr-defined]  # annotated above
        return "–" if hint is None else f"…{hint}" if hint else "set"

    @admin.action(description="Make the default", permissions=["change"])
    def make_default(self, request: HttpRequest, chosen: QuerySet[Endpoint]) -> None:
        if chosen.count() != 1:
            messages.error(request, "Choose one endpoint: only one can be the default.")
            return
        act_on_each(
            self, request, chosen, lambda row: do_make_default(actor=actor_of(request), name=row.name), "Made default"
        )

    @admin.action(description="Remove the practice squad", permissions=["delete"])
    @asks("Remove the practice squad? Its panels stay readable, its evidence goes.")
    def practice_off(self, request: HttpRequest, chosen: QuerySet[Endpoint]) -> None:
        do_practice_off(actor=actor_of(request))
        messages.success(request, "The practice squad is gone; its panels stay readable.")
