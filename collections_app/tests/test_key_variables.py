"""Which variables of the server somebody may name as holding a provider's key."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.key_variables import NOT_A_KEY, variable_problem
from collections_app.models import Endpoint
from collections_app.refusal import Refused
from collections_app.tests.world import World

BASE = "https://api.example.org/v1"


@pytest.mark.parametrize("name", ["", "GROQ_API_KEY", "my_own_api_key", "BENCHWARMERS_KEY_NORTH", "HF_TOKEN"])
def test_what_providers_call_their_keys_may_be_named(name: str) -> None:
    assert variable_problem(name) == ""


@pytest.mark.parametrize(
    "name", ["AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "PGPASSWORD", "HOME", "OPENAI_API_KEY_FILE", "KEY"]
)
def test_what_else_the_server_knows_may_not(name: str) -> None:
    problem = variable_problem(name)
    assert name in problem
    assert "BENCH_KEY_VARIABLES" in problem
    assert variable_problem(name, by_operator=True) == ""
    assert variable_problem(name, kept=name) == ""


@pytest.mark.parametrize(
    "name", ["BENCHWARMERS_ADMIN_TOKEN", "BENCH_X_API_KEY", "DATABASE_URL", "django_api_key", "9X"]
)
def test_the_gateways_own_settings_are_nobodys_key(name: str) -> None:
    assert variable_problem(name, by_operator=True, kept=name) == NOT_A_KEY


def test_whoever_runs_the_server_may_allow_more(settings: Any) -> None:
    settings.BENCH = dataclasses.replace(settings.BENCH, key_variables=("TEAM_*", "ONE_KEY"))
    assert [variable_problem(name) == "" for name in ("TEAM_NORTH", "ONE_KEY", "ONE_KEYS")] == [True, True, False]


def test_a_curator_is_refused_where_a_set_up_file_is_not(world: World) -> None:
    with pytest.raises(Refused) as refused:
        do_save_endpoint(actor=world.alice, name="west", base=BASE, key_env="PGPASSWORD")
    assert [field for field, _ in refused.value.problems] == ["key_env"]
    assert not Endpoint.objects.filter(name="west").exists()
    do_save_endpoint(actor=None, name="west", base=BASE, key_env="LOCAL_KEY")
    kept = do_save_endpoint(actor=world.alice, name="west", base=BASE, key_env="LOCAL_KEY", api="responses")
    assert (kept.key_env, kept.api) == ("LOCAL_KEY", "responses")
    with pytest.raises(Refused):
        do_save_endpoint(actor=world.alice, name="west", base=BASE, key_env="PGPASSWORD")
