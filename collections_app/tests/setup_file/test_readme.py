"""What the README tells a newcomer to write is applied as it stands."""

import re
from pathlib import Path

import pytest

from collections_app.models import Collection, LanguageModel
from collections_app.setup_file.apply import apply_setup

README = Path(__file__).resolve().parents[3] / "README.md"


@pytest.mark.django_db
def test_the_readme_s_set_up_file_is_applied() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", README.read_text(), re.S)

    apply_setup(example, actor=None, environ={})

    assert set(LanguageModel.objects.values_list("alias", flat=True)) == {"deepseek", "qwen"}
    assert str(Collection.objects.get()) == "bench/reviewers"
