"""Models in the admin: what an operator states of them is edited here, what others say of them is shown beside it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from collections_app.actions.language_model import TOPIC, do_rename_model, do_save_model, do_set_ad_hoc
from collections_app.actions.retirement import do_restore_model, do_retire_model
from collections_app.admin_asks import asks
from collections_app.admin_base import ActionAdmin, ActionForm, ReadOnlyAdmin, ReadOnlyInline, act_on_each, actor_of
from collections_app.facts import CAPABILITIES, FIELDS, NUMBERS, TEXTS
from collections_app.journal import journal
from collections_app.models import AliasHistory, Fact, LanguageModel

UNKNOWN = (("", "not stated"), ("true", "yes"), ("false", "no"))


class ModelForm(ActionForm):
    """The lower fields are the operator's own facts; they win over every other source, and empty ones are not
    stated.
    """

    context_window = forms.IntegerField(required=False, min_value=1)
    max_output = forms.IntegerField(required=False, min_value=1)
    tools = forms.ChoiceField(required=False, choices=UNKNOWN)
    vision = forms.ChoiceField(required=False, choices=UNKNOWN)
    structured_output = forms.ChoiceField(required=False, choices=UNKNOWN)
    reasoning = forms.ChoiceField(required=False, choices=UNKNOWN)
    documents = forms.ChoiceField(required=False, choices=UNKNOWN)
    audio = forms.ChoiceField(required=False, choices=UNKNOWN)
    limits = forms.JSONField(required=False, help_text="Such as {&quot;rpm&quot;: 60, &quot;tpm&quot;: 100000}.")
    prices = forms.JSONField(
        required=False,
        help_text="USD per million tokens, such as {&quot;input&quot;: 0.5, &quot;output&quot;: 1.5}; "
        "also cached, cache_write and reasoning.",
    )
    knowledge_cutoff = forms.CharField(required=False, max_length=TEXTS["knowledge_cutoff"])
    description = forms.CharField(required=False, max_length=TEXTS["description"])

    class Meta:
        model = LanguageModel
        fields = ("alias", "served", "endpoint", "role", "ad_hoc", "tag", "options")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.pk and "alias" in self.fields:
            self.fields["alias"].required = False
            self.fields["alias"].help_text = "Empty: told from the served name."
        if self.instance.pk:
            for fact in self.instance.facts.filter(source="operator"):
                if fact.field in self.fields:
                    shown = str(fact.value).lower() if isinstance(fact.value, bool) else fact.value
                    self.fields[fact.field].initial = shown

    def act(self) -> Model:
        values = dict(self.cleaned_data)
        stated = {field: values.pop(field) for field in FIELDS}
        stated |= {field: None if stated[field] == "" else stated[field] == "true" for field in CAPABILITIES}
        stated |= {field: stated[field] or None for field in (*TEXTS, "limits", "prices")}
        values["endpoint"] = values["endpoint"].name
        with journal(self.actor, TOPIC):
            if self.instance.pk:
                former = LanguageModel.objects.get(pk=self.instance.pk).alias
                do_rename_model(actor=self.actor, alias=former, new_alias=values["alias"])
            return do_save_model(actor=self.actor, stated=stated, **values)


class FactInline(ReadOnlyInline):
    """Every value known of the model, with its source."""

    model = Fact
    fields = ("field", "value", "source", "evidence", "seen_at")
    readonly_fields = fields
    ordering = ("field", "source")


@admin.register(LanguageModel)
class LanguageModelAdmin(ActionAdmin):
    """Models are retired, not deleted: their evidence stays."""

    form = ModelForm
    thing, told_as = "model", "alias"
    list_display = ("alias", "served", "endpoint", "role", "ad_hoc", "state")
    list_filter = (("retired_at", admin.EmptyFieldListFilter), "role", "ad_hoc", "endpoint")
    list_select_related = ("endpoint",)
    search_fields = ("alias", "served", "tag")
    inlines = (FactInline,)
    actions: tuple[str, ...] = ("retire", "restore", "mark_ad_hoc", "unmark_ad_hoc")
    readonly_fields = ("state",)
    fieldsets = (
        (None, {"fields": ("alias", "served", "endpoint", "role", "ad_hoc", "tag", "options", "state")}),
        ("Stated by an operator", {"fields": (*NUMBERS, *CAPABILITIES, "limits", "prices", *TEXTS)}),
    )

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        if isinstance(obj, LanguageModel) and obj.retired:
            return False
        return bool(super().has_change_permission(request, obj))

    @admin.display(description="state")
    def state(self, obj: LanguageModel) -> str:
        if obj.retired_at:
            return f"retired {obj.retired_at:%Y-%m-%d} by {obj.retired_by}: {obj.retired_why}"
        if obj.pk and obj.endpoint.scripted:
            return "scripted, not a model"
        return "on the bench"

    @admin.action(description="Retire", permissions=["change"])
    @asks("Retire these models? They leave their collections, and can be restored.")
    def retire(self, request: HttpRequest, chosen: QuerySet[LanguageModel]) -> None:
        actor = actor_of(request)
        act_on_each(
            self, request, chosen, lambda row: do_retire_model(actor=actor, alias=row.alias, why="by hand"), "Retired"
        )

    @admin.action(description="Restore", permissions=["change"])
    def restore(self, request: HttpRequest, chosen: QuerySet[LanguageModel]) -> None:
        actor = actor_of(request)
        act_on_each(self, request, chosen, lambda row: do_restore_model(actor=actor, alias=row.alias), "Restored")

    @admin.action(description="Never choose automatically (ad hoc)", permissions=["change"])
    def mark_ad_hoc(self, request: HttpRequest, chosen: QuerySet[LanguageModel]) -> None:
        self._set_ad_hoc(request, chosen, True)

    @admin.action(description="May be chosen automatically", permissions=["change"])
    def unmark_ad_hoc(self, request: HttpRequest, chosen: QuerySet[LanguageModel]) -> None:
        self._set_ad_hoc(request, chosen, False)

    def _set_ad_hoc(self, request: HttpRequest, chosen: QuerySet[LanguageModel], ad_hoc: bool) -> None:
        actor = actor_of(request)
        act_on_each(
            self,
            request,
            chosen,
            lambda row: do_set_ad_hoc(actor=actor, alias=row.alias, ad_hoc=ad_hoc),
            "Changed",
        )


@admin.register(AliasHistory)
class AliasHistoryAdmin(ReadOnlyAdmin):
    """Aliases that were renamed away."""

    list_display = ("old", "new", "at")
    search_fields = ("old", "new")
