"""One virtual environment for each client library, made once and kept under `.clients`, which git ignores.

The wishes have floors, because a resolver that may choose falls back to releases of years ago without a word.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

CACHE = Path(__file__).resolve().parents[3] / ".clients"
WISHES = {
    "litellm": ("litellm>=1.110",),
    "llm": ("llm>=0.36",),
    "langchain-openai": ("langchain-openai>=1.7",),
    "pydantic-ai": ("pydantic-ai-slim[openai,anthropic,google]>=2.68",),
    "instructor": ("instructor>=1.17", "anthropic>=2"),
}
_MADE = "made"


def python_of(client: str) -> Path:
    """The Python of a client's environment, made first where it is not there. Raises CalledProcessError from pip."""
    return environment_with(client, WISHES[client])


def environment_with(name: str, wishes: tuple[str, ...]) -> Path:
    """The Python of an environment of this name that has these packages."""
    digest = hashlib.sha256("\n".join((sys.version, *wishes)).encode()).hexdigest()[:8]
    folder = CACHE / f"{name}-{digest}"
    python = folder / "bin" / "python"
    if not (folder / _MADE).is_file():
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet"]
        subprocess.run([*pip, "install", *wishes], check=True)
        (folder / _MADE).touch()
    return python
