"""The vault: keys, look-up order, rotation."""

from __future__ import annotations

import stat
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.core.management import CommandError, call_command

from collections_app import vault
from collections_app.actions.secret import do_save_secret
from collections_app.models import Secret


@pytest.fixture
def file_home(settings: Any, tmp_path: Path) -> Path:
    """An installation without a key in its environment."""
    settings.BENCH = replace(settings.BENCH, home=tmp_path / "data", vault_keys=())
    return tmp_path / "data"


def test_a_sealed_secret_opens_again_and_does_not_show_itself() -> None:
    cipher = vault.seal("sk-hidden-1234")
    assert "hidden" not in cipher
    assert vault.open_sealed(cipher) == "sk-hidden-1234"


def test_a_key_file_is_made_on_first_use_for_its_owner_only(file_home: Path) -> None:
    cipher = vault.seal("x")
    assert stat.S_IMODE((file_home / "vault-key").stat().st_mode) == 0o600
    assert vault.open_sealed(cipher) == "x"


def test_keys_of_the_environment_seal_and_those_of_the_file_still_open(file_home: Path, settings: Any) -> None:
    old = vault.seal("old")
    settings.BENCH = replace(settings.BENCH, vault_keys=(Fernet.generate_key().decode(),))
    assert vault.open_sealed(old) == "old"
    (file_home / "vault-key").unlink()
    with pytest.raises(vault.VaultLocked):
        vault.open_sealed(old)


@pytest.mark.django_db
def test_rotation_to_a_new_key_keeps_every_secret_readable(file_home: Path) -> None:
    do_save_secret(actor=None, name="north", plain="sk-north-0001")
    before = Secret.objects.get().cipher
    call_command("rotate_vault", "--new-key", stdout=StringIO())
    keys = (file_home / "vault-key").read_text().split()
    assert len(keys) == 2
    assert Fernet(keys[0]).decrypt(Secret.objects.get().cipher.encode()) == b"sk-north-0001"
    assert Secret.objects.get().cipher != before
    assert vault.secret_for("north") == "sk-north-0001"


@pytest.mark.django_db
def test_rotation_changes_nothing_when_one_secret_cannot_be_opened(file_home: Path) -> None:
    do_save_secret(actor=None, name="good", plain="sk-good-00001")
    Secret.objects.create(name="lost", cipher=Fernet(Fernet.generate_key()).encrypt(b"x").decode())
    before = Secret.objects.get(name="good").cipher
    with pytest.raises(CommandError, match="lost"):
        call_command("rotate_vault")
    assert Secret.objects.get(name="good").cipher == before
    assert [problem for problem in vault.vault_problems() if "lost" in problem] == vault.vault_problems()


def test_a_new_key_cannot_be_written_into_the_environment() -> None:
    with pytest.raises(ValueError, match="BENCHWARMERS_VAULT_KEY"):
        vault.rotate(new_key=True)


@pytest.mark.django_db
def test_the_environment_wins_over_the_named_variable_and_that_over_the_stored_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    do_save_secret(actor=None, name="my-hub", plain="stored-secret")
    assert vault.secret_for("my-hub", "HUB_TOKEN") == "stored-secret"
    monkeypatch.setenv("HUB_TOKEN", "named-secret")
    assert vault.secret_for("my-hub", "HUB_TOKEN") == "named-secret"
    monkeypatch.setenv("BENCHWARMERS_KEY_MY_HUB", "own-secret")
    assert vault.secret_for("my-hub", "HUB_TOKEN") == "own-secret"
    assert vault.secret_for("nobody") == ""


@pytest.mark.django_db
def test_the_gateways_own_settings_are_never_sent_as_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHWARMERS_ADMIN_TOKEN", "very-secret-token-of-the-admin")
    assert vault.secret_for("x", "BENCHWARMERS_ADMIN_TOKEN") == ""
