"""What was left out of a request and its answers, kept with the panel, the seat and the call."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("gateway", "0002_groups"),
    ]

    operations = [
        migrations.AddField(
            model_name="call",
            name="notes",
            field=models.JSONField(blank=True, default=list, help_text="What was left out on the way there and back."),
        ),
        migrations.AddField(
            model_name="panel",
            name="left_out",
            field=models.JSONField(
                blank=True, default=list, help_text="What no seat was sent of the request, and why."
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="notes",
            field=models.JSONField(blank=True, default=list, help_text="What was left out on the way there and back."),
        ),
    ]
