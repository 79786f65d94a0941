"""How long a probe's answer was, for speeds where no tokens are told."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("probes", "0008_schedule_rows")]

    operations = [
        migrations.AddField(
            model_name="probesample",
            name="characters",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
    ]
