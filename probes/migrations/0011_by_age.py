"""Probes and looks by their age, for the nightly work that deletes the old ones."""

from django.db import migrations, models

from collections_app.online import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("probes", "0010_sample_by_prompt")]

    operations = [
        AddIndexOnline("probesample", models.Index(fields=["at"], name="samples_by_age")),
        AddIndexOnline("fingerprint", models.Index(fields=["at"], name="looks_by_age")),
    ]
