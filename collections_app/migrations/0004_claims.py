"""Adds the claim map, and makes a verdict belong to the person rather than to the name they had."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("collections_app", "0003_alias_rights"),
    )
    operations = (
        migrations.CreateModel(
            name="ClaimGroup",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("panel", models.CharField(db_index=True, max_length=40)),
                ("text", models.CharField(max_length=400)),
                ("by", models.CharField(max_length=150)),
                ("at", models.DateTimeField()),
            ],
            options={"ordering": ("panel", "id")},
        ),
        migrations.CreateModel(
            name="ClaimSeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("call", models.CharField(max_length=64)),
                ("text", models.CharField(max_length=400)),
                (
                    "group",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="collections_app.claimgroup",
                    ),
                ),
            ],
            options={
                "ordering": ("group", "id"),
                "constraints": (models.UniqueConstraint(fields=("call", "text"), name="one_claim_a_sentence"),),
            },
        ),
        migrations.RemoveConstraint(model_name="verdict", name="one_verdict_a_person_and_call"),
        migrations.AddConstraint(
            model_name="verdict",
            constraint=models.UniqueConstraint(fields=("call", "judge"), name="one_verdict_a_person_and_call"),
        ),
    )
