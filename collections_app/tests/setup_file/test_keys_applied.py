"""Keys with limits and budgets, and whose a collection is, in the set-up file."""

from __future__ import annotations

import pytest

from collections_app.actions.key import do_rotate_key
from collections_app.actions.key_rules import digest_of
from collections_app.models import Change, Collection, GatewayKey, Team
from collections_app.setup_file.apply import Outcome, apply_setup
from collections_app.setup_file.export import export_setup
from collections_app.setup_file.read import Mistaken
from collections_app.tests.world import World

KEY = "bwk_" + "a1" * 20
FILE = """\
[[key]]
name = "ci"
owner = "bob"
secret_env = "CI_KEY"
collections = ["core"]
rpm = 60
tpm = 100000
team = "red"
budgets = [{ unit = "money", period = "month", amount = 20 }, { unit = "money", period = "day", amount = 0.25 }]
"""


@pytest.fixture
def red(world: World) -> Team:
    return Team.objects.create(name="red")


def apply(text: str) -> Outcome:
    return apply_setup(text, actor=None, environ={"CI_KEY": KEY})


def test_a_key_gets_everything_the_file_says_and_nothing_when_applied_again(red: Team) -> None:
    apply(FILE)
    row = GatewayKey.objects.get()
    assert (row.rpm, row.tpm, row.team) == (60, 100_000, red)
    kept = [(one.period, one.amount) for one in row.budgets.all()]
    assert kept == [("day", 250_000_000), ("month", 20_000_000_000)]
    rows = Change.objects.count()
    assert not apply(FILE).writes
    assert Change.objects.count() == rows


def test_what_the_file_leaves_out_is_taken_away(red: Team) -> None:
    apply(FILE)
    assert apply('[[key]]\nname = "ci"\nowner = "bob"\n').changed == [("key", "ci")]
    row = GatewayKey.objects.get()
    assert (row.rpm, row.tpm, row.team, row.scoped, row.budgets.count()) == (None, None, None, False, 0)


def test_an_export_makes_the_same_key_again(red: Team) -> None:
    Collection.objects.filter(name="core").update(team=red)
    apply(FILE)
    text = export_setup()
    assert 'budgets = [{ unit = "money", period = "day", amount = 0.25 }, ' in text
    assert '{ unit = "money", period = "month", amount = 20 }]' in text
    assert text.count('team = "red"') == 2
    GatewayKey.objects.all().delete()
    Collection.objects.update(team=None)
    apply_setup(text, actor=None, environ={"GATEWAY_KEY_CI": KEY})
    assert export_setup() == text
    assert Collection.objects.get(name="core").team == red


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("tpm = 100000", "tpm = 0", 7, "tpm is a whole number"),
        ('"red"', '"blue"', 8, "There is no team “blue”."),
        ("amount = 20", "amount = 0", 9, "A budget of money is above 0"),
        ("amount = 20", "amount = true", 9, "A budget of money is above 0"),
        ('"month"', '"year"', 9, "day or month"),
        ("amount = 20 }", "amount = 20, rest = 1 }", 9, "rest is no part of a budget"),
        ('"month", amount = 20', '"day", amount = 20', 9, "one budget for each unit and period"),
        ("budgets = [{", 'budgets = ["20 a month", {', 9, "budgets is a list of tables"),
    ],
)
def test_a_mistake_is_told_with_its_line(red: Team, old: str, new: str, line: int, says: str) -> None:
    with pytest.raises(Mistaken) as mistaken:
        apply(FILE.replace(old, new))
    assert [mistake.line for mistake in mistaken.value.mistakes] == [line]
    assert says in mistaken.value.mistakes[0].sentence
    assert not GatewayKey.objects.exists()


def test_a_variable_that_still_brings_the_key_from_before_a_rotation_undoes_nothing(red: Team) -> None:
    apply(FILE)
    rotated = do_rotate_key(actor=None, name="ci")
    outcome = apply(FILE.replace("rpm = 60", "rpm = 30"))
    row = GatewayKey.objects.get()
    assert (row.digest, row.previous_digest, row.rpm) == (digest_of(rotated.plain), digest_of(KEY), 30)
    assert outcome.notes == ["The key ci was rotated; CI_KEY brings the old one, which is left alone."]
