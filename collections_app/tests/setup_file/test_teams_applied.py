"""Teams in the set-up file, and what they own."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from collections_app.actions.team import do_save_team, members_of_team
from collections_app.models import Change, Collection, GatewayKey, Team
from collections_app.setup_file.apply import Outcome, apply_setup
from collections_app.setup_file.export import export_setup
from collections_app.setup_file.read import Mistaken
from collections_app.tests.world import World

KEY = "bwk_" + "a1" * 20
FILE = """\
[[collection]]
name = "reviews"
members = ["fast"]
team = "red"

[[key]]
name = "ci"
owner = "eve"
secret_env = "CI_KEY"
team = "red"
collections = ["reviews"]

[[team]]
name = "red"
about = "Reviews"
members = ["eve", "bob"]

[[person]]
username = "eve"
groups = ["caller"]
"""


def apply(text: str, *, prune: bool = False) -> Outcome:
    return apply_setup(text, actor=None, environ={"CI_KEY": KEY}, prune=prune)


def test_a_team_comes_with_its_people_its_collection_and_its_key_in_any_order(world: World) -> None:
    outcome = apply(FILE)
    assert set(outcome.added) == {("person", "eve"), ("team", "red"), ("collection", "reviews"), ("key", "ci")}
    red = Team.objects.get()
    assert (red.about, members_of_team(red)) == ("Reviews", ["bob", "eve"])
    assert Collection.objects.get(name="reviews").team == red
    assert GatewayKey.objects.get().team == red
    rows = Change.objects.count()
    assert not apply(FILE).writes
    assert Change.objects.count() == rows


def test_an_export_makes_the_same_teams_again_without_the_disabled(world: World) -> None:
    apply(FILE)
    User.objects.filter(username="bob").update(is_active=False)
    text = export_setup()
    assert '[[team]]\nname = "red"\nabout = "Reviews"\nmembers = ["eve"]\n' in text
    GatewayKey.objects.all().delete()
    Collection.objects.all().delete()
    Team.objects.all().delete()
    apply_setup(text, actor=None, environ={"GATEWAY_KEY_CI": KEY})
    assert export_setup() == text


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ('["eve", "bob"]', '["eve", "ghost"]', 16, "There is no person “ghost”."),
        ('["eve", "bob"]', '"eve"', 16, "members is a list of texts"),
        ('["caller"]', '["kings"]', 20, "There is no group “kings”"),
    ],
)
def test_one_mistake_is_told_once_with_its_line(world: World, old: str, new: str, line: int, says: str) -> None:
    with pytest.raises(Mistaken) as mistaken:
        apply(FILE.replace(old, new))
    assert [one.line for one in mistaken.value.mistakes] == [line]
    assert says in mistaken.value.mistakes[0].sentence
    assert not Team.objects.exists()


def test_a_pruned_team_goes_unless_it_still_owns_something(world: World) -> None:
    people = "".join(f'[[person]]\nusername = "{name}"\n' for name in ("alice", "bob", "charlie", "eve"))
    people += '[[person]]\nusername = "dora"\ngroups = ["admin"]\n'  # somebody has to be
    apply(FILE)
    do_save_team(actor=None, name="empty")
    outcome = apply(f'{people}[[team]]\nname = "blue"\n', prune=True)
    assert ("team", "empty") in outcome.removed
    assert "The team red still owns the key ci. It is kept." in outcome.notes
    assert {row.name for row in Team.objects.all()} == {"red", "blue"}
    assert not apply(people, prune=True).removed
