"""Decision models and the picker in the set-up file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from collections_app.actions.setting import do_save_settings
from collections_app.models import DecisionModel, Endpoint, Setting
from collections_app.setup_file.apply import Outcome, apply_setup
from collections_app.setup_file.export import export_setup
from collections_app.setup_file.read import Mistaken
from collections_app.tests.world import World

ROOT = Path(__file__).parents[3]
ORACLE = """\
[[decision_model]]
alias = "decider"
served = "maker/decide-1"
via = "oracle"
path = "systemone"
question_types = ["noul", "choice"]
ad_hoc = true

[[endpoint]]
name = "oracle"
base = "https://oracle.example/v1"
decisions_url = "https://oracle.example/v1/{path}"
"""
PICKER = '[settings]\nmax_calls = 7\npicker = "decider"\n\n'


def apply(text: str, *, prune: bool = False) -> Outcome:
    return apply_setup(text, actor=None, environ={}, prune=prune)


def test_a_decision_model_is_added_changed_and_left(world: World) -> None:
    assert ("decision_model", "decider") in apply(ORACLE).added
    assert ("decision_model", "decider") in apply(ORACLE).left
    assert apply(ORACLE.replace("ad_hoc = true", "")).changed == [("decision_model", "decider")]
    row = DecisionModel.objects.get()
    assert (row.path, row.question_types, row.ad_hoc) == ("systemone", ["noul", "choice"], False)


@pytest.mark.parametrize("more", ["", "max_explorers = 1\n"])
def test_the_picker_may_be_named_before_it_is_there(world: World, more: str) -> None:
    text = PICKER.replace("\n\n", f"\n{more}\n") + ORACLE
    assert apply(text).changed == [("settings", "settings")]
    setting = Setting.load()
    assert (setting.max_calls, setting.picker) == (7, "decider")
    again = apply(text)
    assert not again.writes
    assert again.left.count(("settings", "settings")) == 1


def test_a_picker_alone_is_a_change_of_the_settings(world: World) -> None:
    assert apply('[settings]\nmax_calls = 5\npicker = "fast"\n').changed == [("settings", "settings")]
    assert apply('[settings]\nmax_calls = 5\npicker = ""\n').changed == [("settings", "settings")]
    assert apply("[settings]\nmax_calls = 5\n").left == [("settings", "settings")]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (PICKER, 3, "There is no model “decider”"),
        (PICKER + ORACLE.replace('["noul", "choice"]', '["noul"]'), 3, "takes no question of the type choice"),
        (PICKER + ORACLE.replace("systemone", "elsewhere"), 9, "decisions, systemone"),
        (PICKER + ORACLE.replace("https://oracle.example/v1/{path}", "oracle"), 16, "http://"),
        (ORACLE.replace("ad_hoc = true", "ad_hoc = 1"), 7, "true or false"),
        (ORACLE.replace("via", "endpoint"), 1, "needs the field via"),
    ],
)
def test_a_mistake_is_told_once_with_its_line(world: World, text: str, line: int, words: str) -> None:
    with pytest.raises(Mistaken) as mistaken:
        apply(text)
    told = {(mistake.line, mistake.sentence) for mistake in mistaken.value.mistakes}
    assert any(at == line and words in sentence for at, sentence in told)
    assert len(told) == len(mistaken.value.mistakes) == (2 if "needs" in words else 1)
    assert not DecisionModel.objects.exists()


def test_what_is_exported_makes_the_same_again(world: World) -> None:
    apply(PICKER + ORACLE)
    text = export_setup()
    do_save_settings(actor=None, picker="")
    DecisionModel.objects.all().delete()
    Endpoint.objects.filter(name="oracle").delete()
    apply(text)
    assert export_setup() == text
    assert Setting.load().picker == "decider"


def test_pruning_takes_what_is_not_named_but_not_the_picker(world: World) -> None:
    whole = export_setup()
    apply(PICKER + ORACLE)
    kept = apply(whole, prune=True)
    assert [note for note in kept.notes if "picker" in note] == [
        "The decision model decider is kept: the settings name it as the picker.",
        "The endpoint oracle is kept: the picker of the settings hangs on it.",
    ]
    do_save_settings(actor=None, picker="off")
    assert apply(whole, prune=True).removed == [("decision_model", "decider"), ("endpoint", "oracle")]


def test_the_decision_model_of_the_practice_page_is_applied_as_it_stands(db: None) -> None:
    blocks = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/practice.md").read_text(), re.S)
    (example,) = (block for block in blocks if "[[decision_model]]" in block)
    apply(example)
    assert DecisionModel.objects.get().via.decisions_url.endswith("/practice/{path}")
    assert Setting.load().picker == "sorter"
