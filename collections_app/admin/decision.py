"""Decision models in the admin: who answers typed questions, and which."""

from __future__ import annotations

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model
from django.http import HttpRequest

from collections_app.actions.decision import do_remove_decision_model, do_save_decision_model
from collections_app.admin_base import ActionAdmin, ActionForm
from collections_app.models import DecisionModel
from collections_app.models.choices import choices_of
from gateway.canon.decision import QuestionType


class DecisionModelForm(ActionForm):
    """The question types are boxes to tick."""

    question_types = forms.MultipleChoiceField(
        choices=choices_of(QuestionType),
        widget=forms.CheckboxSelectMultiple,
        initial=[QuestionType.CHOICE.value],
        help_text="Those the model accepts. A question of another type is refused before it is sent.",
    )

    class Meta:
        model = DecisionModel
        fields = ("alias", "served", "via", "path", "question_types", "ad_hoc")

    def act(self) -> Model:
        values = dict(self.cleaned_data)
        if self.instance.pk:
            values["alias"] = self.instance.alias
        values["via"] = values["via"].name
        return do_save_decision_model(actor=self.actor, **values)


@admin.register(DecisionModel)
class DecisionModelAdmin(ActionAdmin):
    """The alias stays; all else can be changed."""

    form = DecisionModelForm
    thing, told_as = "decision model", "alias"
    list_display = ("alias", "served", "via", "path", "types", "ad_hoc")
    list_filter = ("via", "ad_hoc")
    list_select_related = ("via",)
    search_fields = ("alias", "served")

    def get_readonly_fields(self, request: HttpRequest, obj: DecisionModel | None = None) -> tuple[str, ...]:
        return ("alias",) if obj else ()

    def remove(self, actor: User, obj: Model) -> None:
        assert isinstance(obj, DecisionModel)  # noqa: S101  # this page shows nothing else
        do_remove_decision_model(actor=actor, alias=obj.alias)

    @admin.display(description="question types")
    def types(self, obj: DecisionModel) -> str:
        return ", ".join(obj.question_types)
