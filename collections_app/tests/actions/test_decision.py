"""Decision models: what may be registered, and who may be the picker."""

from __future__ import annotations

from typing import Any

import pytest

from collections_app.actions.decision import do_remove_decision_model, do_save_decision_model, picker_problem
from collections_app.actions.endpoint import do_remove_endpoint, do_save_endpoint
from collections_app.actions.language_model import do_rename_model, do_save_model
from collections_app.actions.retirement import do_retire_model
from collections_app.actions.setting import do_save_settings
from collections_app.actions.stated import do_state_facts
from collections_app.models import Change, DecisionModel, Setting
from collections_app.refusal import NotAllowed, NotThere, Refused
from collections_app.tests.world import World

URL = "https://south.example/v1/{path}"


@pytest.fixture
def south(world: World) -> World:
    """The southern endpoint takes decisions, and `decider` is one of its models."""
    do_save_endpoint(actor=None, name="south", base="https://south.example/v1", kind="aggregator", decisions_url=URL)
    do_save_decision_model(actor=None, alias="decider", served="maker/decide-1", via="south")
    return world


def save(world: World, **facts: Any) -> DecisionModel:
    given: dict[str, Any] = {"alias": "other", "served": "maker/decide-2", "via": "south"}
    return do_save_decision_model(actor=world.alice, **(given | facts))


def test_a_decision_model_has_its_defaults(south: World) -> None:
    row = DecisionModel.objects.get()
    assert (row.alias, row.served, row.via.name) == ("decider", "maker/decide-1", "south")
    assert (row.path, row.question_types, row.ad_hoc) == ("decisions", ["choice"], False)
    assert [(change.thing, change.name) for change in Change.objects.filter(thing="decision model")] == [
        ("decision model", "decider")
    ]


def test_saving_again_changes_what_differs_and_no_more(south: World) -> None:
    Change.objects.all().delete()
    save(south, alias="decider", served="maker/decide-1")
    assert not Change.objects.exists()
    save(south, alias="decider", served="maker/decide-1", path="systemone", question_types=["noul", "choice", "noul"])
    assert {(row.field, str(row.new)) for row in Change.objects.all()} == {
        ("path", "systemone"),
        ("question_types", "['noul', 'choice']"),
    }


@pytest.mark.parametrize(
    ("facts", "field", "words"),
    [
        ({"alias": "x"}, "alias", "2 to 64"),
        ({"alias": "fast"}, "alias", "There is a model fast already"),
        ({"alias": "DECIDER"}, "alias", "decider is a decision model"),
        ({"served": ""}, "served", "at most 200"),
        ({"served": "maker/decide-1"}, "served", "under the alias decider"),
        ({"via": "nowhere"}, "via", "no endpoint “nowhere”"),
        ({"via": "north"}, "via", "no decisions_url"),
        ({"path": "v2"}, "path", "decisions, systemone"),
        ({"question_types": []}, "question_types", "at least one"),
        ({"question_types": ["essay"]}, "question_types", "“essay” is no question type; known are noul, choice, score"),
    ],
)
def test_a_broken_rule_names_its_field_and_what_is_right(
    south: World, facts: dict[str, Any], field: str, words: str
) -> None:
    with pytest.raises(Refused) as refused:
        save(south, **facts)
    ((where, sentence),) = refused.value.problems
    assert where == field
    assert words in sentence
    assert DecisionModel.objects.count() == 1


def test_a_chat_model_does_not_take_the_alias_of_a_decision_model(south: World) -> None:
    with pytest.raises(Refused, match="decider is a decision model"):
        do_save_model(actor=None, alias="decider", served="lab/new", endpoint="north")
    assert do_save_model(actor=None, served="lab/decider", endpoint="north").alias == "decider-north"


def test_what_is_to_be_new_changes_nothing_that_is_there(south: World) -> None:
    with pytest.raises(Refused, match="decider is a decision model"):
        do_save_decision_model(actor=None, alias="decider", served="other", via="south", new=True)
    with pytest.raises(Refused, match="There is a model fast already"):
        do_save_model(actor=None, alias="fast", served="other", endpoint="north", new=True)
    assert (DecisionModel.objects.get().served, south.model("fast").served) == ("maker/decide-1", "vendor/fast-1")


def test_callers_may_look_and_curators_may_write(south: World) -> None:
    assert south.bob.has_perm("collections_app.view_decisionmodel")
    with pytest.raises(NotAllowed):
        do_save_decision_model(actor=south.bob, alias="other", served="x", via="south")
    with pytest.raises(NotAllowed):
        do_remove_decision_model(actor=south.bob, alias="decider")
    do_remove_decision_model(actor=south.alice, alias="decider")
    with pytest.raises(NotThere):
        do_remove_decision_model(actor=south.alice, alias="decider")


def test_an_endpoint_keeps_its_decision_models_unless_it_goes_with_them(world: World) -> None:
    do_save_endpoint(actor=None, name="oracle", base="https://oracle.example/v1", decisions_url=URL)
    do_save_decision_model(actor=None, alias="decider", served="maker/decide-1", via="oracle")
    with pytest.raises(Refused, match=r"1 models \(decider\)"):
        do_remove_endpoint(actor=None, name="oracle")
    do_remove_endpoint(actor=None, name="oracle", with_models=True)
    assert not DecisionModel.objects.exists()
    assert Change.objects.filter(thing="decision model", name="decider", new__isnull=True).exists()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("ftp://a.example/x", "http:// or https://"),
        ("https://{path}.example/v1", "not in its host"),
        ("https://a.example/{other}", "no quotes, brackets"),
        ("https://169.254.169.254/{path}", "link-local"),
        ("https://a.example/" + "x" * 500, "at most 500"),
    ],
)
def test_the_address_for_decisions_is_judged_like_any_other(world: World, url: str, words: str) -> None:
    with pytest.raises(Refused, match=words) as refused:
        do_save_endpoint(actor=None, name="north", base="https://north.example/v1", decisions_url=url)
    assert {field for field, _ in refused.value.problems} == {"decisions_url"}


@pytest.mark.parametrize(
    ("picker", "words"),
    [
        ("", ""),
        ("off", ""),
        ("fast", ""),
        ("decider", ""),
        ("ghost", "There is no model “ghost”"),
        ("yesno", "takes no question of the type choice"),
        ("slow", "slow is retired"),
        ("coder", "gives no structured output"),
        ("tiny", "role decision"),
    ],
)
def test_the_picker_is_whoever_can_tell_shapes_apart(south: World, picker: str, words: str) -> None:
    save(south, alias="yesno", question_types=["noul"])
    do_retire_model(actor=None, alias="slow")
    do_state_facts(actor=None, model=south.model("coder"), stated={"structured_output": False})
    do_save_model(actor=None, alias="tiny", served="maker/tiny-1b", endpoint="south", role="decision")
    problem = picker_problem(picker)
    assert (words in problem) if words else (problem == "")
    if words:
        with pytest.raises(Refused):
            do_save_settings(actor=None, picker=picker)
    else:
        assert do_save_settings(actor=None, picker=picker).picker == picker


def test_the_setting_follows_a_model_that_is_renamed(world: World) -> None:
    do_save_settings(actor=None, picker="fast")
    do_rename_model(actor=world.alice, alias="fast", new_alias="faster")
    assert Setting.load().picker == "faster"
    change = Change.objects.get(thing="settings", actor_name="alice")
    assert (change.field, change.old, change.new) == ("picker", "fast", "faster")


def test_a_decision_model_that_is_the_picker_stays(south: World) -> None:
    do_save_settings(actor=None, picker="decider")
    with pytest.raises(Refused, match="is the picker"):
        do_remove_decision_model(actor=None, alias="decider")
    do_save_settings(actor=None, picker="")
    do_remove_decision_model(actor=None, alias="decider")
