"""The connections behind hubs, through which more models can be had."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("collections_app", "0010_alerts_told"),
        ("probes", "0006_sign_ins"),
    ]

    operations = [
        migrations.CreateModel(
            name="HubConnection",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("connection", models.CharField(max_length=100)),
                ("base", models.CharField(blank=True, max_length=500)),
                ("seen_at", models.DateTimeField()),
                (
                    "endpoint",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="hub_connections",
                        to="collections_app.endpoint",
                    ),
                ),
            ],
            options={
                "ordering": ("endpoint", "connection"),
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(fields=("endpoint", "connection"), name="one_row_a_hub_connection")
                ],
            },
        ),
    ]
