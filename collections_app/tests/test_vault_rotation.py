"""Moving what is sealed to a newer key: whole, while others write, and after a kill."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.fernet import Fernet, InvalidToken
from django.apps import apps
from django.core.management import CommandError, call_command

from collections_app import vault, vault_rotation
from collections_app.actions.secret import do_save_secret
from collections_app.models import Secret

pytestmark = pytest.mark.django_db
PLAIN = {"north": "sk-north-0001", "south": "sk-south-0002", "west": "sk-west-00003"}


@pytest.fixture(autouse=True)
def home(settings: Any, tmp_path: Path) -> Path:
    """An installation without a key in its environment, with three secrets."""
    settings.BENCH = replace(settings.BENCH, home=tmp_path / "data", vault_keys=())
    for name, plain in PLAIN.items():
        do_save_secret(actor=None, name=name, plain=plain)
    return tmp_path / "data"


def keys(home: Path) -> list[str]:
    return (home / "vault-key").read_text().split()


def sealed_with(key: str) -> set[str]:
    """The names of the secrets that this key alone opens."""
    found = set()
    for row in Secret.objects.all():
        try:
            assert Fernet(key).decrypt(row.cipher.encode()).decode() == PLAIN[row.name]
            found.add(row.name)
        except InvalidToken:
            continue
    return found


def rotate(*words: str) -> str:
    out = StringIO()
    call_command("rotate_vault", *words, stdout=out)
    return out.getvalue()


def test_everything_moves_to_a_new_key_and_the_old_one_stays(home: Path) -> None:
    (old,) = keys(home)
    assert rotate("--new-key") == "3 secrets sealed with the newest key\n"
    new, kept = keys(home)
    assert kept == old
    assert sealed_with(new) == set(PLAIN)


def test_how_far_a_rotation_has_come_is_told(home: Path) -> None:
    assert vault_rotation.rotation_state() == vault_rotation.RotationState(1, False, sealed=3, old=0, locked=0)
    (old,) = keys(home)
    (home / "vault-key").write_text(f"{Fernet.generate_key().decode()}\n{old}\n")
    assert vault_rotation.rotation_state() == vault_rotation.RotationState(2, False, sealed=3, old=3, locked=0)
    (home / "vault-key").write_text(f"{Fernet.generate_key().decode()}\n")
    assert vault_rotation.rotation_state().locked == 3
    (home / "vault-key").write_text(f"{old}\n")
    rotate()
    assert vault_rotation.rotation_state().old == 0
    assert {name: vault.secret_for(name) for name in PLAIN} == PLAIN


def test_a_second_run_without_a_new_key_changes_nothing(home: Path) -> None:
    rotate("--new-key")
    before = list(Secret.objects.values_list("cipher", "updated_at"))
    rotate()
    assert list(Secret.objects.values_list("cipher", "updated_at")) == before
    assert len(keys(home)) == 2


@pytest.mark.parametrize("moved", [0, 1, 2])
def test_a_run_that_was_killed_is_finished_by_the_next_with_the_same_key(
    home: Path, monkeypatch: pytest.MonkeyPatch, moved: int
) -> None:
    left = moved
    put = vault_rotation.Sealed.replace

    def until_killed(one: vault_rotation.Sealed, cipher: str) -> bool:
        nonlocal left
        if left == 0:
            raise KeyboardInterrupt
        left -= 1
        return put(one, cipher)

    monkeypatch.setattr(vault_rotation.Sealed, "replace", until_killed)
    with pytest.raises(KeyboardInterrupt):
        rotate("--new-key")
    new, _ = keys(home)
    assert len(sealed_with(new)) == moved
    assert {name: vault.secret_for(name) for name in PLAIN} == PLAIN
    monkeypatch.undo()
    rotate("--new-key")
    assert keys(home)[0] == new
    assert len(keys(home)) == 2
    assert sealed_with(new) == set(PLAIN)


def test_a_secret_that_is_entered_meanwhile_stays(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put = vault_rotation.Sealed.replace
    entered: list[bool] = []

    def while_somebody_enters(one: vault_rotation.Sealed, cipher: str) -> bool:
        if one.row.name == "south" and not entered:
            do_save_secret(actor=None, name="south", plain="sk-entered-meanwhile")
            entered.append(True)
            assert not put(one, cipher)
            return False
        return put(one, cipher)

    monkeypatch.setattr(vault_rotation.Sealed, "replace", while_somebody_enters)
    rotate("--new-key")
    assert entered
    assert vault.secret_for("south") == "sk-entered-meanwhile"
    assert vault.secret_for("north") == PLAIN["north"]


def test_a_process_that_still_has_the_old_key_first_is_understood_and_caught_up_with(home: Path) -> None:
    old = keys(home)[0]
    rotate("--new-key")
    late = Fernet(old).encrypt(PLAIN["west"].encode()).decode()
    Secret.objects.filter(name="west").update(cipher=late)
    assert vault.secret_for("west") == PLAIN["west"]
    rotate()
    assert sealed_with(keys(home)[0]) == set(PLAIN)


def test_nothing_changes_when_one_secret_cannot_be_opened(home: Path) -> None:
    Secret.objects.create(name="lost", cipher=Fernet(Fernet.generate_key()).encrypt(b"x").decode())
    before = list(Secret.objects.values_list("cipher", flat=True))
    with pytest.raises(CommandError, match="lost"):
        rotate("--new-key")
    assert list(Secret.objects.values_list("cipher", flat=True)) == before
    assert len(keys(home)) == 1
    (problem,) = vault_rotation.vault_problems()
    assert "lost" in problem


def test_a_new_key_cannot_be_written_into_the_environment(settings: Any) -> None:
    settings.BENCH = replace(settings.BENCH, vault_keys=(Fernet.generate_key().decode(),))
    Secret.objects.all().delete()
    with pytest.raises(CommandError, match="BENCHWARMERS_VAULT_KEY"):
        rotate("--new-key")


def test_what_is_sealed_inside_an_object_moves_too_and_the_rest_of_it_stays(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [SimpleNamespace(pk=7, user_id=3, data={"secret": vault.seal("TOTP-SEED"), "note": "gAA", "codes": [1]})]
    model = SimpleNamespace(_default_manager=SimpleNamespace(order_by=lambda _: rows))
    monkeypatch.setattr(apps, "is_installed", lambda _: True)
    monkeypatch.setattr(apps, "get_model", lambda *_: model)
    found = [one for one in vault_rotation.sealed_values() if one.key]
    assert [(one.key, vault.open_sealed(one.cipher), one.title) for one in found] == [
        ("secret", "TOTP-SEED", "The second factor 7 of user 3")
    ]
