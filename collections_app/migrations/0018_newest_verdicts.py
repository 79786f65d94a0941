"""When somebody judged last, without reading every verdict."""

from django.db import migrations, models

from collections_app.online import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("collections_app", "0017_backup_alerts")]

    operations = [AddIndexOnline("verdict", models.Index(fields=["-at"], name="newest_verdicts"))]
