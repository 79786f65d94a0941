"""Tasks, passes, attempts, scores."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("collections_app", "0010_alerts_told"),
    ]

    operations = [
        migrations.CreateModel(
            name="SuitePass",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=16)),
                ("note", models.CharField(blank=True, max_length=200)),
                ("repetitions", models.PositiveSmallIntegerField(default=1)),
                ("timeout_s", models.FloatField(default=420)),
                ("by", models.CharField(blank=True, max_length=150)),
                ("created_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name_plural": "suite passes",
                "ordering": ("-created_at",),
            },
        ),
        migrations.CreateModel(
            name="Task",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(max_length=80, unique=True)),
                ("title", models.CharField(max_length=200)),
                (
                    "shape",
                    models.CharField(
                        choices=[
                            ("finding", "finding"),
                            ("claim", "claim"),
                            ("seeded", "seeded"),
                            ("real", "real"),
                            ("needle", "needle"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "origin",
                    models.CharField(
                        choices=[
                            ("starter", "starter"),
                            ("seeded", "seeded"),
                            ("real", "real"),
                            ("mined", "mined"),
                            ("hand", "hand"),
                            ("promptfoo", "promptfoo"),
                        ],
                        default="hand",
                        max_length=16,
                    ),
                ),
                ("language", models.CharField(blank=True, max_length=16)),
                ("mutation", models.CharField(blank=True, max_length=24)),
                ("pair", models.CharField(blank=True, max_length=80)),
                ("control", models.BooleanField(default=False, help_text="Nothing is wrong in it.")),
                ("draft", models.BooleanField(default=False)),
                ("dropped", models.BooleanField(default=False)),
                (
                    "source",
                    models.CharField(blank=True, help_text="Where it is from, such as path::function.", max_length=300),
                ),
                ("source_url", models.CharField(blank=True, max_length=500)),
                ("licence", models.CharField(blank=True, max_length=64)),
                ("created_on", models.DateField(blank=True, null=True)),
                ("contamination", models.CharField(blank=True, max_length=300)),
                ("created_at", models.DateTimeField()),
                ("reviewed_by", models.CharField(blank=True, max_length=150)),
                ("reviewed_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ("slug",),
                "indexes": [models.Index(fields=["shape", "draft", "dropped"], name="suite_task_shape_45b0e7_idx")],
            },
        ),
        migrations.CreateModel(
            name="TaskVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64)),
                ("prompt", models.TextField()),
                ("attachments", models.JSONField(blank=True, default=list)),
                ("key", models.JSONField(default=dict)),
                ("why", models.TextField(blank=True)),
                ("current", models.BooleanField(default=True)),
                ("made_by", models.CharField(blank=True, max_length=150)),
                ("made_at", models.DateTimeField()),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="versions", to="suite.task"
                    ),
                ),
            ],
            options={
                "ordering": ("task", "-made_at"),
            },
        ),
        migrations.CreateModel(
            name="Attempt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(default=1)),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("answered", "answered"),
                            ("refused", "refused"),
                            ("empty", "empty"),
                            ("error", "error"),
                            ("timeout", "timeout"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "failure",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("timeout", "timeout"),
                            ("signin", "signin"),
                            ("structural", "structural"),
                            ("paywalled", "paywalled"),
                            ("entitlement", "entitlement"),
                            ("capacity", "capacity"),
                            ("empty", "empty"),
                            ("other", "other"),
                        ],
                        max_length=16,
                    ),
                ),
                ("detail", models.CharField(blank=True, max_length=300)),
                ("answer", models.TextField(blank=True)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("seconds", models.FloatField(default=0)),
                ("first_token_s", models.FloatField(blank=True, null=True)),
                ("tokens_in", models.PositiveIntegerField(blank=True, null=True)),
                ("tokens_out", models.PositiveIntegerField(blank=True, null=True)),
                ("cost", models.BigIntegerField(blank=True, null=True)),
                ("at", models.DateTimeField(blank=True, null=True)),
                (
                    "language_model",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="attempts",
                        to="collections_app.languagemodel",
                    ),
                ),
                (
                    "suite_pass",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="attempts", to="suite.suitepass"
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="attempts", to="suite.taskversion"
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
            },
        ),
        migrations.CreateModel(
            name="Judgement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("claim", models.CharField(max_length=400)),
                ("said", models.BooleanField(blank=True, null=True)),
                ("at", models.DateTimeField(blank=True, null=True)),
                (
                    "attempt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="judgements", to="suite.attempt"
                    ),
                ),
                (
                    "language_model",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="judgements",
                        to="collections_app.languagemodel",
                    ),
                ),
            ],
            options={
                "ordering": ("language_model", "id"),
                "constraints": [
                    models.UniqueConstraint(fields=("language_model", "attempt", "claim"), name="one_judgement_a_claim")
                ],
            },
        ),
        migrations.CreateModel(
            name="JudgeTrial",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("claim", models.CharField(max_length=400)),
                ("truth", models.BooleanField()),
                ("said", models.BooleanField(blank=True, null=True)),
                ("at", models.DateTimeField(blank=True, null=True)),
                (
                    "attempt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="judge_trials", to="suite.attempt"
                    ),
                ),
                (
                    "language_model",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="judge_trials",
                        to="collections_app.languagemodel",
                    ),
                ),
            ],
            options={
                "ordering": ("language_model", "id"),
                "constraints": [
                    models.UniqueConstraint(fields=("language_model", "attempt", "claim"), name="one_trial_a_claim")
                ],
            },
        ),
        migrations.CreateModel(
            name="Score",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("scorer", models.PositiveSmallIntegerField()),
                ("found", models.PositiveSmallIntegerField(default=0)),
                ("of", models.PositiveSmallIntegerField(default=0)),
                ("missed", models.JSONField(blank=True, default=list)),
                ("invented", models.JSONField(blank=True, default=list)),
                ("format_ok", models.BooleanField(blank=True, null=True)),
                ("format_why", models.CharField(blank=True, max_length=200)),
                ("hunt", models.CharField(blank=True, max_length=16)),
                ("chance", models.CharField(blank=True, max_length=16)),
                ("wrong", models.BooleanField(default=False)),
                ("steps", models.JSONField(blank=True, default=list)),
                ("current", models.BooleanField(default=True)),
                (
                    "attempt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="scores", to="suite.attempt"
                    ),
                ),
            ],
            options={
                "ordering": ("attempt", "-scorer"),
                "indexes": [
                    models.Index(condition=models.Q(("current", True)), fields=["attempt"], name="current_scores")
                ],
                "constraints": [models.UniqueConstraint(fields=("attempt", "scorer"), name="one_score_a_scorer")],
            },
        ),
        migrations.AddConstraint(
            model_name="taskversion",
            constraint=models.UniqueConstraint(fields=("task", "digest"), name="one_row_a_version"),
        ),
        migrations.AddConstraint(
            model_name="taskversion",
            constraint=models.UniqueConstraint(
                condition=models.Q(("current", True)), fields=("task",), name="one_current_version_a_task"
            ),
        ),
        migrations.AddIndex(
            model_name="attempt",
            index=models.Index(fields=["language_model", "version", "-at"], name="suite_attem_languag_d51a4a_idx"),
        ),
        migrations.AddIndex(
            model_name="attempt",
            index=models.Index(fields=["suite_pass", "outcome"], name="suite_attem_suite_p_90b01b_idx"),
        ),
        migrations.AddConstraint(
            model_name="attempt",
            constraint=models.UniqueConstraint(
                fields=("suite_pass", "version", "language_model", "number"), name="one_attempt_a_number"
            ),
        ),
    ]
