"""The sections of the installation's settings, each a form saved by itself. A refusal comes back at its field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from collections_app.actions.setting import LONGEST_DAYS
from collections_app.models import Setting
from collections_app.refusal import Refused


class SectionForm(forms.Form):
    """A form of some of the settings. `told` is an error that belongs to no field."""

    def __init__(self, row: Setting, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial={name: getattr(row, name) for name in self.base_fields})

    def show(self, refusal: Refused) -> None:
        """Put each reason at its field, or at the top."""
        for field, sentence in refusal.problems:
            self.add_error(field if field in self.fields else None, sentence)


class ModelsForm(SectionForm):
    """How models come and go by themselves, and how their record is read."""

    auto_retire = forms.BooleanField(
        required=False,
        label=_("Retire models that are gone"),
        help_text=_("What endpoints stopped to serve leaves its collections. Off: an alert only says so."),
    )
    picker = forms.CharField(
        required=False,
        max_length=64,
        label=_("Who tells the shape of a request"),
        help_text=_("Empty: the first decision model. off: nobody. Or the alias of a model."),
    )
    half_life_days = forms.IntegerField(
        min_value=1,
        max_value=3650,
        label=_("Days until a verdict counts half"),
        help_text=_("Where recent work is meant. Another value makes all standings anew."),
    )


class AlertsForm(SectionForm):
    """Who hears of alerts beside this page."""

    alert_mail = forms.CharField(
        required=False,
        max_length=500,
        label=_("E-mail addresses"),
        help_text=_("Parted by commas. Empty: no e-mail."),
    )
    alert_hook = forms.CharField(
        required=False,
        max_length=64,
        label=_("Secret with a webhook's address"),
        help_text=_("The name of a stored secret, such as Slack's; never the address itself. Empty: none is called."),
    )


class KeepingForm(SectionForm):
    """How long rows are kept. Sums and verdicts stay."""

    ledger_days = forms.IntegerField(
        min_value=0,
        max_value=LONGEST_DAYS,
        label=_("Days the ledger is kept"),
        help_text=_("0: for ever. Else 32 at least, for months are counted from it. The sums by day stay."),
    )
    work_days = forms.IntegerField(
        min_value=0,
        max_value=LONGEST_DAYS,
        label=_("Days panels and conversations are kept"),
        help_text=_("0: for ever. Else 7 at least. Prompts and answers go; verdicts, evidence and sums stay."),
    )
    sample_days = forms.IntegerField(
        min_value=0,
        max_value=LONGEST_DAYS,
        label=_("Days probes of models are kept"),
        help_text=_("0: for ever. Else 62 at least. The last ones of each model stay."),
    )
    log_days = forms.IntegerField(
        min_value=0,
        max_value=LONGEST_DAYS,
        label=_("Days logs and ended jobs are kept"),
        help_text=_("0: for ever. Meant are changes, answers read and ended jobs."),
    )


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page: its anchor, its heading and its form."""

    name: str
    title: Promise
    form: type[SectionForm]


SECTIONS: Final[dict[str, Section]] = {
    one.name: one
    for one in (
        Section("models", _("Models and their record"), ModelsForm),
        Section("alerts", _("Alerts"), AlertsForm),
        Section("keeping", _("Keeping"), KeepingForm),
    )
}
"""By name, in the order of the page."""
