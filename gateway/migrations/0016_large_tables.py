"""What is read of large tables is found by an index: a person's own work in a collection, and the sums of some days, of a
person, a team or a key."""

from django.db import migrations, models

from collections_app.online import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("gateway", "0015_shared_panels")]

    operations = [
        AddIndexOnline(
            "panel", models.Index(fields=["owner", "collection_name", "-started_at"], name="panels_of_people")
        ),
        AddIndexOnline(
            "conversation",
            models.Index(fields=["owner", "collection_name", "-last_at"], name="conversations_of_people"),
        ),
        AddIndexOnline("usageday", models.Index(fields=["day"], name="sums_of_days")),
        AddIndexOnline("usageday", models.Index(fields=["owner_id", "day"], name="sums_of_people")),
        AddIndexOnline("usageday", models.Index(fields=["team_id", "day"], name="sums_of_teams")),
        AddIndexOnline("usageday", models.Index(fields=["key_id", "day"], name="sums_of_keys")),
    ]
