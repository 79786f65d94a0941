"""Provider secrets in the admin: they go in and never come out."""

from __future__ import annotations

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model
from django.http import HttpRequest

from collections_app.actions.secret import do_remove_secret, do_save_secret, is_mask
from collections_app.admin_base import ActionAdmin, ActionForm
from collections_app.models import Secret


class SecretForm(ActionForm):
    """Empty, or with only dots in it, the new secret of a stored one changes nothing."""

    new_secret = forms.CharField(
        required=False,
        strip=True,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password", "class": "vTextField"}),
    )

    class Meta:
        model = Secret
        fields = ("name",)

    def act(self) -> Model:
        plain = self.cleaned_data["new_secret"]
        if self.instance.pk:
            if not plain or is_mask(plain):
                return Secret.objects.get(pk=self.instance.pk)
            return do_save_secret(actor=self.actor, name=self.instance.name, plain=plain)
        return do_save_secret(actor=self.actor, name=self.cleaned_data["name"], plain=plain)


@admin.register(Secret)
class SecretAdmin(ActionAdmin):
    """Shows the last four characters, no more."""

    form = SecretForm
    thing = "secret"
    list_display = ("name", "ending", "updated_at")
    search_fields = ("name",)
    fields = ("name", "new_secret")

    def get_readonly_fields(self, request: HttpRequest, obj: Secret | None = None) -> tuple[str, ...]:
        return ("name",) if obj else ()

    def remove(self, actor: User, obj: Model) -> None:
        assert isinstance(obj, Secret)  # noqa: S101  # this page shows nothing else
        do_remove_secret(actor=actor, name=obj.name)

    @admin.display(description="ends in")
    def ending(self, obj: Secret) -> str:
        return f"…{obj.hint}" if obj.hint else "set"
