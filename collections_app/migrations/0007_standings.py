"""Gives each model a standing per collection and shape, with decayed sums, and makes them all from the evidence."""

from __future__ import annotations

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from collections_app.standings import fold, key_of, tally_of

HALF_LIFE_DAYS = 60


def make_standings(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The same fold as `manage.py rebuild_standings`, over one row after another."""
    evidence = apps.get_model("collections_app", "Evidence").objects.order_by().iterator(chunk_size=2000)
    standings = apps.get_model("collections_app", "Standing")
    whole = fold(((key_of(row), tally_of(row)) for row in evidence), HALF_LIFE_DAYS)
    standings.objects.all().delete()
    standings.objects.bulk_create(
        (
            standings(
                **key._asdict(),
                last_work_at=tally.last_work_at,
                offloads=tally.offloads,
                judged=tally.judged,
                useful=tally.useful,
                real_claims=tally.real_claims,
                false_claims=tally.false_claims,
                panels_judged=tally.panels_judged,
                panels_useful=tally.panels_useful,
                panels_not_useful=tally.panels_not_useful,
                lately_useful=tally.lately.useful,
                lately_judged=tally.lately.judged,
                lately_at=tally.lately.at,
            )
            for key, tally in whole.items()
        ),
        batch_size=500,
    )


def forget_parts(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Leaves the one standing a model over all work, which is all there was before."""
    parts = models.Q(collection_name="", shape="")
    apps.get_model("collections_app", "Standing").objects.exclude(parts).delete()


def count(name: str) -> migrations.AddField:
    return migrations.AddField("standing", name, models.PositiveIntegerField(default=0))


class Migration(migrations.Migration):
    dependencies = (("collections_app", "0006_decision_rights"),)
    operations = (
        migrations.AddField(
            model_name="setting",
            name="half_life_days",
            field=models.PositiveSmallIntegerField(
                default=HALF_LIFE_DAYS,
                help_text="Days until a verdict counts half. Another value makes the standings anew.",
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(3650),
                ],
            ),
        ),
        migrations.AlterModelOptions(
            name="standing", options={"ordering": ("language_model", "collection_name", "shape")}
        ),
        migrations.AddField(
            model_name="standing",
            name="collection_name",
            field=models.CharField(blank=True, default="", help_text="Empty: all collections.", max_length=32),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="standing",
            name="shape",
            field=models.CharField(blank=True, default="", help_text="Empty: all shapes.", max_length=16),
            preserve_default=False,
        ),
        *map(count, ("real_claims", "false_claims", "panels_judged", "panels_useful", "panels_not_useful")),
        migrations.AddField("standing", "lately_useful", models.FloatField(default=0)),
        migrations.AddField("standing", "lately_judged", models.FloatField(default=0)),
        migrations.AddField("standing", "lately_at", models.DateTimeField(blank=True, null=True)),
        migrations.AlterField(
            model_name="standing",
            name="language_model",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="standings",
                to="collections_app.languagemodel",
            ),
        ),
        migrations.AddIndex(
            model_name="evidence",
            index=models.Index(
                condition=models.Q(("current", True), ("useful__isnull", False)),
                fields=["collection_name", "language_model", "kind", "-at"],
                name="judged_work",
            ),
        ),
        migrations.AddIndex(
            model_name="standing",
            index=models.Index(fields=["collection_name", "shape"], name="collections_collect_017971_idx"),
        ),
        migrations.AddConstraint(
            model_name="standing",
            constraint=models.UniqueConstraint(
                fields=("language_model", "collection_name", "shape"), name="one_standing_a_part"
            ),
        ),
        migrations.RunPython(make_standings, forget_parts),
    )
