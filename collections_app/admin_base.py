"""What every admin page of ours shares: writes go through actions, a refusal becomes an error on the form or a message,
what the system writes by itself can only be looked at, and below an object stands what was done to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin, TabularInline
from django.contrib.admin.options import InlineModelAdmin
from django.contrib.auth.models import User
from django.core.exceptions import NON_FIELD_ERRORS
from django.db import transaction
from django.db.models import Model, QuerySet
from django.forms import BaseInlineFormSet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from collections_app.admin_journal import Journalled
from collections_app.journal import rehearse
from collections_app.refusal import Refused

__all__ = [
    "ActionAdmin",
    "ActionForm",
    "ReadOnlyAdmin",
    "ReadOnlyInline",
    "act_on_each",
    "actor_of",
]


def actor_of(request: HttpRequest) -> User:
    """Who is signed in; the admin lets nobody else in."""
    return cast(User, request.user)


class ActionForm(forms.ModelForm):  # type: ignore[type-arg]
    """A form whose saving is an action. While it is checked, the action is rehearsed, so that a refusal shows at its
    fields.
    """

    actor: User
    rehearsed = True

    def act(self) -> Model:
        """Do what the form says and return the object. Called with valid fields only."""
        raise NotImplementedError

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]
        if self.rehearsed and not self.errors:
            try:
                rehearse(self.act)
            except Refused as refusal:
                self.show(refusal)

    def show(self, refusal: Refused) -> None:
        """Put each reason at its field, or at the top."""
        for field, sentence in refusal.problems:
            self.add_error(field if field in self.fields else NON_FIELD_ERRORS, sentence)


class ActionAdmin(Journalled, ModelAdmin):  # type: ignore[type-arg]
    """Saving runs the form's action; removing runs `remove`."""

    def remove(self, actor: User, obj: Model) -> None:
        """The action that removes the object."""
        raise NotImplementedError

    def get_form(self, request: HttpRequest, obj: Model | None = None, change: bool = False, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.actor = actor_of(request)
        return form

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        if isinstance(form, ActionForm):
            saved = form.act()
            obj.pk = saved.pk
            obj.refresh_from_db()

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """The action wrote everything; the formsets only owe their report of what changed."""
        for formset in formsets:
            formset.new_objects = formset.changed_objects = formset.deleted_objects = []

    def delete_model(self, request: HttpRequest, obj: Model) -> None:
        self.remove(actor_of(request), obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for obj in queryset:
            self.remove(actor_of(request), obj)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return self._or_say_why(request, lambda: super(ActionAdmin, self).changelist_view(request, extra_context))

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return self._or_say_why(request, lambda: super(ActionAdmin, self).changeform_view(request, *args, **kwargs))

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        return self._or_say_why(
            request, lambda: super(ActionAdmin, self).delete_view(request, object_id, extra_context)
        )

    def _or_say_why(self, request: HttpRequest, view: Callable[[], HttpResponse]) -> HttpResponse:
        """What a form could not foresee is told on the same page; nothing of it was written."""
        try:
            with transaction.atomic():
                return view()
        except Refused as refusal:
            for _, sentence in refusal.problems:
                messages.error(request, sentence)
            return HttpResponseRedirect(request.get_full_path())


class ReadOnlyAdmin(Journalled, ModelAdmin):  # type: ignore[type-arg]
    """What the system writes by itself: to be looked at."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class FirstRows(BaseInlineFormSet):  # type: ignore[type-arg]
    """So many rows of an object as its inline shows, however many there are."""

    most = 100

    def get_queryset(self) -> QuerySet[Any]:
        """The first of them in the inline's order."""
        if not hasattr(self, "_shown"):
            self._shown = super().get_queryset()[: self.most]
        return self._shown


class ReadOnlyInline(TabularInline):  # type: ignore[type-arg]
    """Rows below an object, to be looked at; a hundred of them."""

    formset = FirstRows
    extra = 0
    max_num = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def act_on_each(
    page: InlineModelAdmin[Any, Any] | ModelAdmin[Any],
    request: HttpRequest,
    objects: QuerySet[Any],
    act: Callable[[Any], object],
    done: str,
) -> None:
    """Run an action on each chosen object. One that is refused is told and does not hold up the others."""
    count = 0
    for obj in objects:
        try:
            act(obj)
            count += 1
        except Refused as refusal:
            messages.error(request, f"{obj}: {refusal}")
    if count:
        messages.success(request, f"{done}: {count}.")
