"""The data folder: made private, owned by one `up` at a time, with its secret files made once.

Standard library only. Never changes a secret file that exists, never prints a secret.
"""

from __future__ import annotations

import base64
import fcntl
import os
import socket
from pathlib import Path

from benchwarmers.env import SECRET_KEY_FILE, VAULT_KEY_FILE, Environment
from benchwarmers.env_values import BadSetting

LOCK_FILE = "up.lock"
METRICS = "metrics"


def make_home(home: Path) -> None:
    """Make the folder, readable by its owner alone.

    :raises BadSetting: it cannot be made or written.
    """
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadSetting(
            f"The data folder {home} cannot be made ({error.strerror}); point BENCHWARMERS_HOME at a folder of yours."
        ) from None
    if not os.access(home, os.W_OK | os.X_OK):
        raise BadSetting(f"The data folder {home} cannot be written; point BENCHWARMERS_HOME at a folder of yours.")


def hold_home(home: Path) -> int:
    """Lock the folder for this process and return the open lock; it ends with the process, however that ends.

    :raises BadSetting: another process holds it.
    """
    lock = os.open(home / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        pid = os.read(lock, 32).decode("ascii", "replace").strip() or "unknown"
        os.close(lock)
        raise BadSetting(
            f"Benchwarmers already runs on {home} (process {pid}); stop that one, or set another BENCHWARMERS_HOME."
        ) from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    return lock


def forget_counts(home: Path) -> None:
    """Remove the metrics files of processes that are over. For whoever holds the folder: nobody else counts in it."""
    for file in (home / METRICS).glob("*.db"):
        file.unlink()


def forget_gauges(home: str | os.PathLike[str], pid: int) -> None:
    """Remove what a process of this host that is over had said it has now; its counts stay, for they went before."""
    for file in (Path(home) / METRICS).glob(f"gauge_live*_{counts_of(pid)}.db"):
        file.unlink(missing_ok=True)


def counts_of(pid: int) -> str:
    """What the metrics files of a process are called by. Containers that share the folder count their processes each
    from one: the host tells them apart."""
    return f"{socket.gethostname()[:50].replace('_', '-')}-{pid}"


def make_secrets(bench: Environment) -> bool:
    """Make the secret files that neither the environment nor the folder brings; true when one was made."""
    made = False
    if bench.secret_key is None:
        made |= _make_once(bench.home / SECRET_KEY_FILE)
    if not bench.vault_keys:
        made |= _make_once(bench.home / VAULT_KEY_FILE)
    return made


def _make_once(path: Path) -> bool:
    text = base64.urlsafe_b64encode(os.urandom(32))
    draft = path.with_name(f".{path.name}-{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text + b"\n")
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)  # whole or not at all, and the first of two processes wins
    except FileExistsError:
        return False
    finally:
        os.unlink(draft)
    return True
