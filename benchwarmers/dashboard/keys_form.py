"""The form of a gateway key: what a person fills in, read into what the actions take. A refusal of an action comes back
at the field it is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from benchwarmers.sight import visible_collections
from collections_app.actions.key_budget import budgets_of
from collections_app.actions.key_rules import MOST_RPM, MOST_TPM, may_loosen
from collections_app.budget_fields import NAMES, BudgetForm, fill_fields, read_fields
from collections_app.models import GatewayKey, Team
from collections_app.refusal import Refused

MINUTES = "%Y-%m-%dT%H:%M"
PAST = _("This moment is past; choose a later one, or leave it empty.")
NONE_CHOSEN = _("Choose at least one collection, or open every one.")


class KeyForm(BudgetForm):
    """For a new key, or with `row` for that one. Only an admin is asked for an owner, and may move a key."""

    name = forms.CharField(max_length=32, label=_("Name"))
    owner = forms.ModelChoiceField(User.objects.none(), required=False, label=_("Owner"))
    team = forms.ModelChoiceField(Team.objects.none(), required=False, label=_("Team"), empty_label=_("None"))
    opens = forms.ChoiceField(choices=(("all", "all"), ("some", "some")))
    collections = forms.MultipleChoiceField(required=False)
    rpm = forms.IntegerField(required=False, min_value=1, max_value=MOST_RPM, label=_("Requests a minute"))
    tpm = forms.IntegerField(required=False, min_value=1, max_value=MOST_TPM, label=_("Tokens a minute"))
    expires_at = forms.DateTimeField(required=False, input_formats=[MINUTES], label=_("Expires"))

    def __init__(self, person: User, row: GatewayKey | None, data: Any = None, *, now: datetime) -> None:
        self.person, self.row, self.now = person, row, now
        self.zone = timezone.get_default_timezone_name()
        super().__init__(data, initial=fill(row) if row else {"opens": "all", "owner": person.pk})
        self.gives = may_loosen(person)
        if row is not None:
            del self.fields["name"]
        self._set_choices("owner", User.objects.filter(is_active=True).order_by("username"), self.gives)
        teams = (Team.objects if self.gives else person.teams).order_by("name")
        self._set_choices("team", teams, self.gives or (row is None and teams.exists()))
        named = [one.name for one in row.collections.all()] if row else []
        seen = {*visible_collections(person).values_list("name", flat=True), *named}
        self.choices = sorted(seen)
        field = self.fields["collections"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101  # declared above
        field.choices = [(name, name) for name in self.choices]

    @property
    def chosen(self) -> Sequence[str]:
        """The collections that are ticked."""
        return list(self["collections"].value() or [])

    @property
    def budgets(self) -> list[forms.BoundField]:
        """The six fields of budgets, in their order."""
        return [self[name] for name in NAMES]

    def clean_expires_at(self) -> datetime | None:
        """A moment that was not touched keeps its seconds; a new one lies ahead."""
        typed: datetime | None = self.cleaned_data["expires_at"]
        kept = self.row.expires_at if self.row else None
        if typed is not None and kept is not None and _minutes(typed) == _minutes(kept):
            return kept
        if typed is not None and typed <= self.now:
            raise forms.ValidationError(PAST)
        return typed

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("opens") == "some" and "collections" in cleaned and not cleaned["collections"]:
            self.add_error("collections", NONE_CHOSEN)
        return cleaned

    def values(self) -> dict[str, Any]:
        """What the actions take, apart from the actor and the key's name. Of a valid form."""
        cleaned, row = self.cleaned_data, self.row
        team = cleaned["team"] if "team" in self.fields else (row.team if row else None)
        return {
            "owner": cleaned.get("owner") or (row.owner if row else self.person),
            "team": team.name if team else "",
            "collections": cleaned["collections"] if cleaned["opens"] == "some" else [],
            "rpm": cleaned["rpm"],
            "tpm": cleaned["tpm"],
            "expires_at": cleaned["expires_at"],
            "budgets": read_fields(cleaned),
        }

    def show(self, refusal: Refused) -> None:
        """Put each reason at its field, or at the top."""
        for field, sentence in refusal.problems:
            self.add_error(field if field in self.fields else None, sentence)

    def _set_choices(self, name: str, rows: Any, asked: bool) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101  # declared above
        field.queryset = rows
        if not asked:
            del self.fields[name]


def fill(row: GatewayKey) -> dict[str, Any]:
    """What the form shows of a key."""
    return {
        "owner": row.owner_id,
        "team": row.team_id,
        "opens": "some" if row.scoped else "all",
        "collections": [one.name for one in row.collections.all()],
        "rpm": row.rpm,
        "tpm": row.tpm,
        "expires_at": _minutes(row.expires_at) if row.expires_at else None,
        **fill_fields(budgets_of(row)),
    }


def _minutes(moment: datetime) -> str:
    return timezone.localtime(moment).strftime(MINUTES)
