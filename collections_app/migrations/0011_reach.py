from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("collections_app", "0010_alerts_told"),
    ]

    operations = [
        migrations.AddField(
            model_name="languagemodel",
            name="fails_large",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.AddField(
            model_name="languagemodel",
            name="never_answered",
            field=models.BooleanField(default=False, editable=False),
        ),
    ]
