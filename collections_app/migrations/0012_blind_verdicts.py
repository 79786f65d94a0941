"""Whether who answered was hidden from the judge; and what somebody judged today is found by an index."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("collections_app", "0011_reach"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(model_name="verdict", name="blind", field=models.BooleanField(default=False)),
        migrations.AddIndex(
            model_name="verdict",
            index=models.Index(fields=["judge", "-at"], name="collections_judge_i_8ece26_idx"),
        ),
    ]
