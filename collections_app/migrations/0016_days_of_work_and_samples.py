"""How long panels, conversations and probes are kept: for ever, until the settings say otherwise."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0015_signed_programs")]

    operations = [
        migrations.AddField(
            model_name="setting",
            name="work_days",
            field=models.PositiveIntegerField(
                default=0,
                help_text="Days panels and conversations are kept with what was said in them; 0 for ever. Verdicts stay.",
            ),
        ),
        migrations.AddField(
            model_name="setting",
            name="sample_days",
            field=models.PositiveIntegerField(
                default=0, help_text="Days probes of models are kept; 0 for ever. The last of each kind stay."
            ),
        ),
    ]
