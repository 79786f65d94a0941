"""What was last asked of a collection is found by an index, however much was asked of others."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("collections_app", "0011_reach"),
        ("gateway", "0011_usage_rights"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name="conversation",
            index=models.Index(fields=["collection_name", "-last_at"], name="gateway_con_collect_795c16_idx"),
        ),
        migrations.AddIndex(
            model_name="panel",
            index=models.Index(fields=["collection_name", "-started_at"], name="gateway_pan_collect_186e28_idx"),
        ),
    ]
