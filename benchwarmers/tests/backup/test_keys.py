"""What is sealed needs its key: it comes along when asked for, and where none fits, that is told first."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from django.conf import settings
from django.db import connection

from benchwarmers.backup.archive import opened
from benchwarmers.backup.keys import fingerprint, keys_here
from benchwarmers.backup.make import back_up
from benchwarmers.backup.refused import Refused
from benchwarmers.backup.restore import restore
from benchwarmers.env import Environment
from benchwarmers.tests.backup.conftest import Made
from benchwarmers.tests.upgrade.little import NOW, PLAIN
from collections_app.models import Secret

pytestmark = pytest.mark.xdist_group("postgres")
OTHER = Fernet.generate_key().decode()


def without_keys(bench: Environment) -> Environment:
    return replace(bench, vault_keys=(), secret_key=None)


@pytest.fixture
def taken(made: Made, on_sqlite: Path, bench: Environment, tmp_path: Path, quickly: None) -> Path:
    """An archive with its keys, of an installation like the one that was made. Nothing is there then."""
    restore(made.archive, bench, NOW)
    back_up(tmp_path / "taken.zip", bench, NOW, with_keys=True)
    connection.close()
    for path in bench.home.iterdir():
        path.unlink()
    return tmp_path / "taken.zip"


def test_an_archive_tells_the_keys_by_a_fingerprint_alone(made: Made) -> None:
    (key,) = settings.BENCH.vault_keys
    with opened(made.archive) as archive:
        assert archive.manifest.keys == (fingerprint(key),)
    assert key.encode() not in made.archive.read_bytes()
    assert fingerprint(key) != fingerprint(OTHER)


def test_keys_that_came_along_are_put_into_an_empty_folder(taken: Path, bench: Environment) -> None:
    said = restore(taken, without_keys(bench), NOW)
    kept = bench.home / "vault-key"
    assert kept.read_text().split() == list(settings.BENCH.vault_keys)
    assert (bench.home / "secret-key").read_text().strip() == settings.BENCH.secret_key
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert f"The vault's keys of the archive are in {kept} now." in said


def test_keys_that_are_there_stay_in_front(taken: Path, bench: Environment) -> None:
    (bench.home / "vault-key").write_text(f"{OTHER}\n")
    here = replace(bench, vault_keys=(OTHER,))
    restore(taken, here, NOW)
    assert (bench.home / "vault-key").read_text().split() == [OTHER, *settings.BENCH.vault_keys]
    assert not (bench.home / "secret-key").exists()
    assert keys_here(here) == (OTHER, *settings.BENCH.vault_keys)


@pytest.mark.parametrize("here", [(), (OTHER,)], ids=["no key", "another key"])
def test_without_the_key_it_says_which_one_is_missing(
    made: Made, on_sqlite: Path, bench: Environment, here: tuple[str, ...]
) -> None:
    (key,) = settings.BENCH.vault_keys
    with pytest.raises(Refused, match=f"sealed with the vault key {fingerprint(key)}") as told:
        restore(made.archive, replace(bench, vault_keys=here), NOW)
    assert "--without-keys restores the rest" in str(told.value)
    assert list(bench.home.iterdir()) == []


def test_without_the_key_the_rest_is_restored_when_told_to(
    made: Made, on_sqlite: Path, bench: Environment, quickly: None
) -> None:
    said = restore(made.archive, replace(bench, vault_keys=(OTHER,)), NOW, without_keys=True)
    (told,) = [sentence for sentence in said if "does not open" in sentence]
    assert "the key of harbour-1 has to be entered again, or signed in for" in told
    assert "must set up the second factor again" in told
    assert Secret.objects.filter(name="little").exists()


def test_one_secret_that_opens_with_none_of_the_keys_stops_it(taken: Path, bench: Environment, tmp_path: Path) -> None:
    restore(taken, bench, NOW)
    strange = Fernet(OTHER.encode()).encrypt(PLAIN.encode()).decode()
    Secret.objects.create(name="strange", cipher=strange, hint="test")
    back_up(tmp_path / "strange.zip", bench, NOW)
    connection.close()
    (bench.home / "benchwarmers.sqlite3").unlink()
    with pytest.raises(Refused, match="Not all that is sealed would open: no key opens strange"):
        restore(tmp_path / "strange.zip", bench, NOW)
    assert not (bench.home / "benchwarmers.sqlite3").exists()


def test_there_must_be_keys_to_take_along(made: Made, on_sqlite: Path, bench: Environment, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="There are no keys to take along"):
        back_up(tmp_path / "some.zip", without_keys(bench), NOW, with_keys=True)
