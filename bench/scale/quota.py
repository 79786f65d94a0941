"""Less than a core for a process, by Linux's control groups: so that a machine of two cores can show what two processes
carry that have a core each, while callers, provider and database have the rest. Needs root."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from bench.processes import NotReady

PERIOD_US: Final = 10_000
ONE: Final = Path("/sys/fs/cgroup/cpu")
TWO: Final = Path("/sys/fs/cgroup")


@contextlib.contextmanager
def limited(pids: Sequence[int], share: float) -> Iterator[None]:
    """Each of these processes gets this share of a core, by itself.

    :raises NotReady: this system lets nobody say so.
    """
    made: list[Path] = []
    try:
        for pid in pids:
            made.append(_group(f"bench-{os.getpid()}-{pid}", int(PERIOD_US * share)))
            (made[-1] / "cgroup.procs").write_text(str(pid))
        yield
    except OSError as error:
        raise NotReady(f"no share of a core can be given here ({error})") from error
    finally:
        for group in made:
            for inside in (group / "cgroup.procs").read_text().split():
                with contextlib.suppress(OSError):
                    (group.parent / "cgroup.procs").write_text(inside)
            with contextlib.suppress(OSError):
                group.rmdir()


def _group(name: str, quota_us: int) -> Path:
    if ONE.is_dir():
        group = ONE / name
        group.mkdir()
        (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
        (group / "cpu.cfs_quota_us").write_text(str(quota_us))
        return group
    group = TWO / name
    group.mkdir()
    (group / "cpu.max").write_text(f"{quota_us} {PERIOD_US}")
    return group
