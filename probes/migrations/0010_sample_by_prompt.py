"""How all models answered one question lately, found without looking at every sample."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("probes", "0009_sample_characters")]

    operations = [
        migrations.AddIndex(
            model_name="probesample",
            index=models.Index(fields=["prompt", "at"], name="probes_prob_prompt_7c6596_idx"),
        ),
    ]
