"""The vault: keys and look-up order."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet

from collections_app import vault
from collections_app.actions.secret import do_save_secret


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
    assert not (file_home / "vault-key").exists()  # looking for it makes none


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
