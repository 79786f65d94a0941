"""What is installed for each server, and where."""

from __future__ import annotations

from pathlib import Path

from benchwarmers.tests.clients.environments import environment_with

WISHES = {
    "server-litellm": ("litellm[proxy]>=1.106,<1.109",),
    "server-open-webui": ("open-webui>=0.12,<0.13",),
    "original": ("benchwarmers==0.3.3",),
    "server-llama": ("xllamacpp==2026.10.11549", "gguf==0.19.0"),
}
"""llama.cpp comes built, with its own server in it; the other package writes the model that it serves. The original is
asked as a program and never imported."""


def python_of(server: str) -> Path:
    """The Python of a server's environment, made first where it is not there. Raises CalledProcessError from pip."""
    return environment_with(server, WISHES[server])
