"""The newest answer of a model is found by an index, however many calls it had."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("collections_app", "0011_reach"),
        ("gateway", "0013_usage_shares"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="call",
            index=models.Index(fields=["language_model", "-at"], name="gateway_cal_languag_f175f2_idx"),
        ),
        migrations.AlterField(
            model_name="call",
            name="language_model",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="calls",
                to="collections_app.languagemodel",
            ),
        ),
    ]
