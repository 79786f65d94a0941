"""Applying and exporting the set-up file."""

from __future__ import annotations

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.core.management import call_command as run

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.language_model import do_save_model
from collections_app.actions.practice import do_practice_on
from collections_app.actions.retirement import do_retire_model
from collections_app.actions.seats import members_of
from collections_app.models import Change, Collection, Endpoint, GatewayKey, LanguageModel, Setting
from collections_app.refusal import NotAllowed
from collections_app.setup_file.apply import Outcome, apply_setup
from collections_app.setup_file.export import export_setup
from collections_app.setup_file.read import Mistaken
from collections_app.tests.world import World

ROOT = Path(__file__).parents[3]
CI_KEY = "bwk_" + "a1" * 20
FULL = """\
[settings]
max_calls = 6
max_explorers = 1
ledger_days = 90
log_days = 400
scheduler = "log-only"

[[collection]]
name = "core"
members = ["fast", "slow"]
shape = "review"
reply = "merged"
merger = "fast"
description = "adversarial “review”"
tags = ["review"]
ranking = "bayes"
cooldown = "ask"
on_disconnect = "cancel"
shadow = { share = 0.1, daily = 50 }
max_explorers = 0

[[endpoint]]
name = "local"
base = "http://127.0.0.1:9100/v1/"
key_env = "LOCAL_KEY"
headers = { X-Title = "bench" }
unlisted_models = ["x"]
quirks = { no_system = true }

[[endpoint]]
name = "other"
base = "https://chat.example.org/api"
admin_key_name = "other-owner"
default = true

[[model]]
alias = "fast"
served = "vendor/fast-1"
endpoint = "local"
allow_paid = true
tools = true
vision = false
context_window = 128000
max_output = 8192
description = "quick"
options = { max_tokens = 1024, temperature = 0.5 }
limits = { rpm = 60, tpm = 100000 }
prices = { input = 0.5, output = 2, cached = 0.0375 }

[[model]]
alias = "slow"
served = "vendor/slow-2"
endpoint = "other"
role = "code"
ad_hoc = true
tag = "groq/meta"

[[person]]
username = "owner"
email = "owner@example.org"
groups = ["admin"]

[[key]]
name = "ci"
owner = "owner"
secret_env = "CI_KEY"
collections = ["core"]
rpm = 60
expires_at = 2027-01-31T00:00:00Z
"""

pytestmark = pytest.mark.django_db


def apply(text: str, *, dry_run: bool = False, prune: bool = False) -> Outcome:
    return apply_setup(text, actor=None, environ={"CI_KEY": CI_KEY}, dry_run=dry_run, prune=prune)


def test_a_full_file_makes_everything_it_names() -> None:
    outcome = apply(FULL)
    assert len(outcome.added) == 7
    core = Collection.objects.get()
    assert members_of(core) == ["fast", "slow"]
    assert (core.shadow, core.max_explorers, core.on_disconnect) == ({"share": 0.1, "daily": 50}, 0, "cancel")
    assert Endpoint.objects.get(default=True).name == "other"
    assert (Endpoint.objects.get(name="local").kind, Endpoint.objects.get(name="other").hub) == ("local", "openwebui")
    assert GatewayKey.objects.get().owner.username == "owner"
    assert Setting.load().max_calls == 6
    assert {row.actor_name for row in Change.objects.all()} == {"set-up"}


def test_applied_again_it_changes_nothing() -> None:
    apply(FULL)
    rows = Change.objects.count()
    outcome = apply(FULL)
    assert not outcome.writes
    assert len(outcome.left) == 8
    assert Change.objects.count() == rows


def test_what_is_exported_makes_the_same_installation_again() -> None:
    apply(FULL)
    text = export_setup()
    assert CI_KEY not in text
    for model in (Collection, LanguageModel, Endpoint, GatewayKey, User, Setting):
        model.objects.all().delete()
    apply_setup(text, actor=None, environ={"GATEWAY_KEY_CI": CI_KEY})
    assert export_setup() == text
    assert 'description = "adversarial “review”"' in text
    assert "expires_at = 2027-01-31T00:00:00+00:00" in text


def test_a_dry_run_tells_and_writes_nothing() -> None:
    outcome = apply(FULL, dry_run=True)
    assert len(outcome.added) == 7
    assert not Endpoint.objects.exists()
    assert not Change.objects.exists()


def test_one_mistake_leaves_everything_as_it_was_and_every_mistake_has_its_line() -> None:
    text = FULL.replace('members = ["fast", "slow"]', 'members = ["fast", "ghost"]')
    text = text.replace('groups = ["admin"]', 'groups = ["kings"]').replace("max_calls = 6", "max_calls = 60")
    text = text.replace("http://127.0.0.1:9100", "http://169.254.169.254")
    lines = text.splitlines()
    with pytest.raises(Mistaken) as mistaken:
        apply(text)
    wrong = [lines[mistake.line - 1].split(" = ")[0] for mistake in mistaken.value.mistakes]
    assert wrong == ["max_calls", "base", "groups"]
    assert not Endpoint.objects.exists()
    with pytest.raises(Mistaken, match="ghost"):
        apply(text.replace("169.254.169.254", "127.0.0.1"))


def test_a_change_in_the_file_is_a_change_of_just_that() -> None:
    apply(FULL)
    Change.objects.all().delete()
    outcome = apply(FULL.replace("tools = true\n", "").replace('"bayes"', '"record"'))
    assert outcome.changed == [("model", "fast"), ("collection", "core")]
    assert {(row.name, row.field) for row in Change.objects.all()} == {("fast", "tools"), ("core", "ranking")}


def test_settings_are_lowered_after_the_collections_gave_up_their_places(world: World) -> None:
    text = '[settings]\nmax_calls = 2\n[[collection]]\nname = "core"\nmembers = ["fast", "slow"]\n'
    apply(text)
    assert Setting.load().max_calls == 2
    with pytest.raises(Mistaken) as mistaken:
        apply("[settings]\nmax_calls = 1\n")
    assert mistaken.value.mistakes[0].line == 2
    assert "bench/core (2)" in mistaken.value.mistakes[0].sentence
    apply('[settings]\nmax_calls = 1\n[[collection]]\nname = "solo"\nmembers = ["fast"]\n', prune=True)
    assert Setting.load().max_calls == 1


def test_pruning_removes_what_the_file_does_not_name_and_keeps_evidence_and_practice(world: World) -> None:
    do_practice_on(actor=None, base="http://127.0.0.1:8122/practice/v1")
    do_save_endpoint(actor=None, name="empty", base="https://empty.example")
    text = export_setup()
    keep = text[: text.index('[[collection]]\nname = "pair"')] + text[text.index("[[person]]") :]
    keep = keep.replace(_table(keep, 'alias = "tiny"'), "").replace(_table(keep, 'name = "empty"'), "")
    keep = keep.replace(_table(keep, 'username = "charlie"'), "")
    outcome = apply(keep, prune=True)
    assert set(outcome.removed) == {
        ("alias", "gpt-5.5"),
        ("collection", "pair"),
        ("model", "tiny"),
        ("endpoint", "empty"),
        ("person", "charlie"),
    }
    assert LanguageModel.objects.get(alias="tiny").retired_why == "not in the set-up file"
    assert Collection.objects.filter(name="practice").exists()
    assert not apply(keep, prune=True).writes


def test_pruning_without_people_and_keys_in_the_file_leaves_both(world: World) -> None:
    apply('[[endpoint]]\nname = "north"\nbase = "https://north.example/v1"\n', prune=True)
    assert User.objects.filter(is_active=True).count() == 4
    assert not Collection.objects.exists()
    assert Endpoint.objects.filter(name="south").exists()  # retired models hang on it


def test_a_model_that_was_retired_comes_back_when_the_file_names_it(world: World) -> None:
    text = export_setup()
    do_retire_model(actor=None, alias="fast", why="gone")
    outcome = apply(text)
    assert ("model", "fast") in outcome.changed
    assert "gone" in outcome.notes[0]
    assert export_setup() == text


def test_the_squad_is_no_part_of_an_export_and_loses_the_default_to_the_file() -> None:
    do_practice_on(actor=None, base="http://127.0.0.1:8122/practice/v1")
    assert "practice-slow" not in export_setup()
    apply('[[endpoint]]\nname = "real"\nbase = "https://real.example"\ndefault = true\n')
    assert Endpoint.objects.get(default=True).name == "real"
    assert Endpoint.objects.filter(name="practice").exists()


def test_a_key_needs_its_variable_once_and_then_no_more() -> None:
    with pytest.raises(Mistaken, match="CI_KEY is not set"):
        apply_setup(FULL, actor=None, environ={})
    apply(FULL)
    assert not apply_setup(FULL, actor=None, environ={}).writes
    with pytest.raises(Mistaken, match="secret_env"):
        apply(FULL.replace('secret_env = "CI_KEY"\n', "").replace('"ci"', '"cd"'))


def test_a_person_without_the_right_may_not_apply(world: World) -> None:
    with pytest.raises(NotAllowed):
        apply_setup(FULL, actor=world.bob, environ={})


def test_the_command_names_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "bench.toml"
    path.write_text("[settings]\nmax_cals = 3\n")
    with pytest.raises(CommandError, match=r"bench.toml:2: Unknown field “max_cals”"):
        run("apply", str(path))
    with pytest.raises(CommandError, match="cannot be read"):
        run("apply", str(tmp_path / "missing.toml"))


def test_the_command_tells_what_it_did(tmp_path: Path) -> None:
    path = tmp_path / "bench.toml"
    path.write_text('[[endpoint]]\nname = "real"\nbase = "https://real.example"\n')
    out = StringIO()
    call_command("apply", str(path), stdout=out)
    call_command("apply", str(path), "--dry-run", stdout=out)
    assert out.getvalue().splitlines() == [
        "added   endpoint    real",
        "added 1, changed 0, left 0, removed 0",
        "added 0, changed 0, left 1, removed 0 (dry run: nothing was written)",
    ]


@pytest.mark.slow
def test_on_a_bare_machine_apply_makes_folder_and_tables_itself(tmp_path: Path) -> None:
    path = tmp_path / "bench.toml"
    path.write_text('[[endpoint]]\nname = "real"\nbase = "https://real.example"\n')
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BENCH", "DJANGO"))}
    environ = {**kept, "BENCHWARMERS_HOME": str(tmp_path / "deep" / "home")}
    for words, says in ((["apply", str(path)], "added 1"), (["export"], 'name = "real"')):
        done = subprocess.run(
            [sys.executable, "manage.py", *words], cwd=ROOT, env=environ, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, done.stderr
        assert says in done.stdout


def test_a_mixed_collection_is_exported_without_its_scripted_members(world: World) -> None:
    do_practice_on(actor=None, base="http://127.0.0.1:8122/practice/v1")
    core = world.collection("core")
    core.seatings.filter(place=2).update(language_model=LanguageModel.objects.get(alias="practice-slow"))
    assert 'members = ["fast", "coder"]' in export_setup()


def test_models_named_later_in_the_file_may_be_seated_earlier(world: World) -> None:
    do_save_model(actor=None, alias="spare", served="spare", endpoint="north")
    apply(
        '[[collection]]\nname = "new"\nmembers = ["late"]\n'
        '[[model]]\nalias = "late"\nserved = "late-1"\nendpoint = "north"\n'
    )
    assert members_of(world.collection("new")) == ["late"]


def _table(text: str, line: str) -> str:
    """The whole table that holds this line."""
    at = text.index(line)
    start = text.rindex("[[", 0, at)
    end = text.find("\n\n", at)
    return text[start : end + 2] if end >= 0 else text[start:]
