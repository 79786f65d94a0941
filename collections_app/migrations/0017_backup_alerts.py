"""A kind of alert more: there is no backup of today."""

from django.db import migrations, models

KINDS = ("retiring", "connection", "registration", "retired", "plan", "went paid", "changed", "sign in", "backup")


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0016_days_of_work_and_samples")]

    operations = [
        migrations.AlterField(
            model_name="alert",
            name="kind",
            field=models.CharField(choices=[(kind, kind) for kind in KINDS], max_length=16),
        ),
    ]
