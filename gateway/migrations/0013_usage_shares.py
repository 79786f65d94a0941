"""Sums of whole days by each column alone; made by the nightly job, so none here."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("gateway", "0012_of_a_collection")]

    operations = [
        migrations.CreateModel(
            name="UsageShare",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("by", models.CharField(blank=True, max_length=16)),
                ("value", models.CharField(blank=True, max_length=150)),
                ("requests", models.PositiveBigIntegerField(default=0)),
                ("calls", models.PositiveBigIntegerField(default=0)),
                ("attempts", models.PositiveBigIntegerField(default=0)),
                ("failed", models.PositiveBigIntegerField(default=0)),
                ("unpriced", models.PositiveBigIntegerField(default=0)),
                ("tokens_in", models.PositiveBigIntegerField(default=0)),
                ("tokens_out", models.PositiveBigIntegerField(default=0)),
                ("cached", models.PositiveBigIntegerField(default=0)),
                ("cache_write", models.PositiveBigIntegerField(default=0)),
                ("reasoning", models.PositiveBigIntegerField(default=0)),
                ("cost", models.BigIntegerField(default=0)),
                ("seconds", models.FloatField(default=0)),
            ],
            options={"ordering": ("-day",), "default_permissions": ()},
        ),
        migrations.AddConstraint(
            model_name="usageshare",
            constraint=models.UniqueConstraint(fields=("by", "day", "value"), name="one_share_a_day_and_value"),
        ),
    ]
