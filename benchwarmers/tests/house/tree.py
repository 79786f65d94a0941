"""The files of the project as the house tests see them: what is tracked, or would be."""

from __future__ import annotations

import functools
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SKIPPED = {".git", ".venv", "node_modules", "__pycache__", "staticfiles", "htmlcov", ".hypothesis"}


@functools.cache
def files() -> tuple[Path, ...]:
    """Every file that is not ignored, sorted; without git, every file outside the usual caches."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode == 0:
        found = {ROOT / name for name in listing.stdout.split("\0") if name}
    else:
        found = {
            path
            for path in ROOT.rglob("*")
            if not SKIPPED & set(path.relative_to(ROOT).parts)
            and not any(part.endswith("_cache") for part in path.relative_to(ROOT).parts)
        }
    return tuple(sorted(path for path in found if path.is_file()))


def python_files(*, tests: bool = True, migrations: bool = False) -> tuple[Path, ...]:
    """Every Python module of ours."""
    return tuple(
        path
        for path in files()
        if path.suffix == ".py"
        and (migrations or "migrations" not in path.parts)
        and (tests or ("tests" not in path.parts and path.name != "conftest.py"))
    )


def name(path: Path) -> str:
    """The path inside the project."""
    return path.relative_to(ROOT).as_posix()


def text_files() -> tuple[Path, ...]:
    """Every file that is text and was written here: no locks, no vendored files."""
    return tuple(
        path
        for path in files()
        if path.suffix not in {".png", ".woff2", ".ico", ".jpg", ".webp", ".gif", ".gz"}
        and "vendor" not in path.parts
        and path.name not in {"requirements.txt", "requirements-dev.txt"}
    )
