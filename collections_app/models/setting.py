"""The installation's own settings: one row."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models


class Setting(models.Model):
    """`max_calls` bounds the seats of a panel, merger apart; `max_explorers` the explorer seats among them. `picker` is
    who says what kind of work a request is: empty for the first decision model that can, `off` for nobody, or an
    alias. `half_life_days` is how long it takes until a verdict counts half where recent work is meant."""

    SCHEDULERS = (("off", "off"), ("log-only", "log-only"), ("run", "run"))

    max_calls = models.PositiveSmallIntegerField(default=5, validators=[MinValueValidator(1), MaxValueValidator(10)])
    max_explorers = models.PositiveSmallIntegerField(default=2, validators=[MaxValueValidator(2)])
    scheduler = models.CharField(max_length=16, choices=SCHEDULERS, default="off")
    picker = models.CharField(
        max_length=64,
        blank=True,
        help_text="Who tells the shape of a request. Empty: the first decision model; off: nobody; or an alias.",
    )

    half_life_days = models.PositiveSmallIntegerField(
        default=60,
        validators=[MinValueValidator(1), MaxValueValidator(3650)],
        help_text="Days until a verdict counts half. Another value makes the standings anew.",
    )
    ledger_days = models.PositiveIntegerField(
        default=0, help_text="Days a row of the ledger is kept; 0 for ever. The sums by day stay."
    )
    work_days = models.PositiveIntegerField(
        default=0,
        help_text="Days panels and conversations are kept with what was said in them; 0 for ever. Verdicts stay.",
    )
    sample_days = models.PositiveIntegerField(
        default=0, help_text="Days probes of models are kept; 0 for ever. The last of each kind stay."
    )
    log_days = models.PositiveIntegerField(
        default=0, help_text="Days the change log and the log of answers read are kept; 0 for ever."
    )

    auto_retire = models.BooleanField(default=True, help_text="Retire models that are gone. Off: only say so.")
    alert_mail = models.CharField(
        max_length=500, blank=True, help_text="Addresses that hear of alerts by e-mail, parted by commas."
    )
    alert_hook = models.CharField(
        max_length=64, blank=True, help_text="The name of the secret that holds a webhook's address, such as Slack's."
    )

    class Meta:
        verbose_name = "settings"
        verbose_name_plural = "settings"
        constraints = (models.CheckConstraint(condition=models.Q(id=1), name="settings_are_one_row"),)

    def __str__(self) -> str:
        return "settings"

    @classmethod
    def load(cls) -> Setting:
        """The row, made with its defaults when there is none."""
        return cls.objects.get_or_create(id=1)[0]
