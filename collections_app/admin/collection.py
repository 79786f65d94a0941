"""Collections in the admin, with their members in order."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest

from collections_app.actions.collection import do_remove_collection, do_save_collection
from collections_app.admin_base import ActionAdmin, ActionForm
from collections_app.journal import rehearse
from collections_app.models import Collection, Seating
from collections_app.refusal import Refused


class CollectionForm(ActionForm):
    """Checked together with its members, by their formset."""

    rehearsed = False
    tags = forms.CharField(required=False, help_text="Words with commas between them.")
    members: list[str]

    class Meta:
        model = Collection
        fields = (
            "name",
            "description",
            "team",
            "shape",
            "reply",
            "merger",
            "tags",
            "ranking",
            "cooldown",
            "on_disconnect",
            "max_explorers",
            "shadow",
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.initial["tags"] = ", ".join(self.instance.tags)

    def clean_tags(self) -> list[str]:
        return [word for word in self.cleaned_data["tags"].split(",") if word.strip()]

    def act(self) -> Model:
        values = dict(self.cleaned_data)
        if self.instance.pk:
            values["name"] = self.instance.name
        values["merger"] = values["merger"].alias if values["merger"] else ""
        values["team"] = values["team"].name if values["team"] else ""
        return do_save_collection(actor=self.actor, members=self.members, **values)


class MemberFormSet(BaseInlineFormSet):  # type: ignore[type-arg]
    """The members in the order of their places; those without a place come last. Judged together with the
    collection.
    """

    request: HttpRequest | None = None

    def members(self) -> list[str]:
        """The aliases, in order."""
        rows = [
            (form.cleaned_data.get("place") or 1000, number, form.cleaned_data["language_model"].alias)
            for number, form in enumerate(self.forms)
            if form.cleaned_data.get("language_model") and not form.cleaned_data.get("DELETE")
        ]
        return [alias for _, _, alias in sorted(rows)]

    def clean(self) -> None:
        super().clean()
        form = getattr(self.request, "collection_form", None)
        if form is None or any(self.errors) or not form.is_valid():
            return
        form.members = self.members()
        try:
            rehearse(form.act)
        except Refused as refusal:
            raise forms.ValidationError([f"{field}: {sentence}" for field, sentence in refusal.problems]) from None


class MemberForm(forms.ModelForm):  # type: ignore[type-arg]
    """A place may be left empty."""

    place = forms.IntegerField(required=False, min_value=1, max_value=100)

    class Meta:
        model = Seating
        fields = ("place", "language_model")


class MemberInline(admin.TabularInline):  # type: ignore[type-arg]
    """Who sits where."""

    model = Seating
    form = MemberForm
    formset = MemberFormSet
    extra = 1
    verbose_name = "member"
    autocomplete_fields = ("language_model",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seating]:
        rows: QuerySet[Seating] = super().get_queryset(request)
        return rows.select_related("collection", "language_model")

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        """The class is made for this request alone, so it can hold the request."""
        formset: Any = super().get_formset(request, obj, **kwargs)
        formset.request = request
        return formset


@admin.register(Collection)
class CollectionAdmin(ActionAdmin):
    """The collection and its members are saved as one."""

    form = CollectionForm
    thing = "collection"
    inlines = (MemberInline,)
    list_display = ("name", "seated", "shape", "reply", "merger", "team", "description", "is_scripted")
    list_filter = ("reply", "shape", "ranking", "team")
    search_fields = ("name", "description", "members__alias")
    autocomplete_fields = ("merger",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Collection]:
        rows: QuerySet[Collection] = super().get_queryset(request)
        return rows.select_related("merger", "team").prefetch_related("seatings__language_model__endpoint")

    def get_readonly_fields(self, request: HttpRequest, obj: Collection | None = None) -> tuple[str, ...]:
        return ("name",) if obj else ()

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        """Called once the form is valid and before the formsets are, which need it."""
        request.collection_form = form  # type: ignore[attr-defined]
        return super().save_form(request, form, change)

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        """Saved below, when the members are known."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        saved = form.act()
        form.instance.pk = saved.pk
        form.instance.refresh_from_db()
        super().save_related(request, form, formsets, change)

    def remove(self, actor: User, obj: Model) -> None:
        assert isinstance(obj, Collection)  # noqa: S101  # this page shows nothing else
        do_remove_collection(actor=actor, name=obj.name)

    @admin.display(description="members")
    def seated(self, obj: Collection) -> str:
        seatings = sorted(obj.seatings.all(), key=lambda one: one.place)
        return ", ".join(one.language_model.alias for one in seatings)

    @admin.display(boolean=True, description="scripted")
    def is_scripted(self, obj: Collection) -> bool:
        return any(one.language_model.endpoint.scripted for one in obj.seatings.all())
