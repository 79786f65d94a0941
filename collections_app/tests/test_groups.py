"""What each group may do after the migrations ran."""

from __future__ import annotations

import pytest

from collections_app.tests.world import World

ASK, JUDGE, ALL = "gateway.ask", "gateway.judge", "gateway.view_all_panels"
CHANGE, KEYS, PEOPLE = "collections_app.change_collection", "collections_app.add_gatewaykey", "auth.add_user"
LOOK = "collections_app.view_collection"


@pytest.mark.parametrize(
    ("name", "may", "may_not"),
    [
        ("bob", {ASK, JUDGE, LOOK}, {CHANGE, KEYS, PEOPLE, ALL}),
        ("alice", {ASK, JUDGE, LOOK, CHANGE, ALL}, {KEYS, PEOPLE}),
        ("dora", {ASK, JUDGE, LOOK, CHANGE, ALL, KEYS, PEOPLE}, set()),
        ("charlie", set(), {ASK, JUDGE, LOOK, CHANGE, KEYS, PEOPLE, ALL}),
    ],
)
def test_each_group_may_do_its_part_and_no_more(world: World, name: str, may: set[str], may_not: set[str]) -> None:
    person = getattr(world, name)
    assert {right for right in may | may_not if person.has_perm(right)} == may


def test_only_curators_and_admins_come_into_the_admin(world: World) -> None:
    assert [world.alice.is_staff, world.bob.is_staff, world.charlie.is_staff, world.dora.is_staff] == [
        True,
        False,
        False,
        True,
    ]
