"""People and groups in the admin. Nobody becomes a superuser here: that is done on the machine, with
`createsuperuser`.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, Permission, User
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from collections_app.actions.person import do_save_person
from collections_app.admin_base import ActionAdmin, ActionForm, actor_of
from collections_app.journal import note_alone

admin.site.unregister(User)
admin.site.unregister(Group)


class PersonForm(ActionForm):
    """Who it is and which groups they are in."""

    groups = forms.ModelMultipleChoiceField(
        Group.objects.all(), required=False, help_text="viewer, caller, curator, admin: each may do more."
    )

    class Meta:
        model = User
        fields = ("username", "email", "groups", "is_active")

    def act(self) -> Model:
        values = dict(self.cleaned_data)
        if self.instance.pk:
            values["username"] = self.instance.username
        return do_save_person(
            actor=self.actor,
            username=values["username"],
            email=values["email"],
            groups=[group.name for group in values["groups"]],
            active=values["is_active"],
        )


@admin.register(User)
class PersonAdmin(ActionAdmin, DjangoUserAdmin):  # type: ignore[type-arg]
    """People are disabled, not deleted: what they did stays theirs."""

    form = add_form = PersonForm
    thing, told_as = "person", "username"
    fieldsets = ((None, {"fields": ("username", "email", "groups", "is_active")}),)
    add_fieldsets = fieldsets
    list_display = ("username", "email", "in_groups", "is_active", "last_login")
    list_filter = ("is_active", "groups")
    filter_horizontal = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        rows: QuerySet[User] = super().get_queryset(request)
        return rows.prefetch_related("groups")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("username",) if obj else ()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if obj is not None and obj.is_superuser and not request.user.is_superuser:
            return False
        return bool(super().has_change_permission(request, obj))

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> Any:
        known = User.objects.filter(pk=id if id.isascii() and id.isdigit() and len(id) < 10 else 0)
        before = known.values_list("password", flat=True).first()
        answer = super().user_change_password(request, id, form_url)
        person = known.all().first()
        if person is not None and person.password != before:
            told = "set" if person.has_usable_password() else "removed"
            note_alone(actor_of(request), "person", person.username, "password", new=told)
        return answer

    @admin.display(description="groups")
    def in_groups(self, obj: User) -> str:
        return ", ".join(sorted(group.name for group in obj.groups.all()))


class GroupForm(forms.ModelForm):  # type: ignore[type-arg]
    """What a group may. Nobody gives away what they may not do themselves."""

    actor: User

    class Meta:
        model = Group
        fields = ("name", "permissions")

    def clean_permissions(self) -> QuerySet[Permission]:
        chosen: QuerySet[Permission] = self.cleaned_data["permissions"]
        held = set(self.instance.permissions.all()) if self.instance.pk else set()
        own = self.actor.get_all_permissions()
        added = [one for one in chosen.select_related("content_type") if one not in held]
        lacking = [one.name for one in added if f"{one.content_type.app_label}.{one.codename}" not in own]
        if lacking:
            raise forms.ValidationError(f"You may not give what you do not have: {', '.join(lacking)}.")
        return chosen


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin):
    """Django's own page; nobody gives what they have not."""

    form = GroupForm

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.actor = actor_of(request)
        return form
