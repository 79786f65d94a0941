"""An alert goes out by two ways, each with a time of its own."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0009_operations")]

    operations = [
        migrations.RenameField(model_name="alert", old_name="told_at", new_name="mailed_at"),
        migrations.AddField(model_name="alert", name="hooked_at", field=models.DateTimeField(blank=True, null=True)),
    ]
