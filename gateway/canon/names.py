"""Names: of collections as callers write them, of models across providers, and of secrets in the environment."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from gateway.canon.ask import ReplyMode

PREFIX = "bench/"
LONGEST_REMEMBERED = 120
"""Characters of a name or a path whose meaning is kept: what is longer is made to fill the memory."""
SLUG = re.compile(r"[a-z0-9][a-z0-9-]{1,31}")
ALIAS = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,63}")
TAG = re.compile(r"[a-z0-9][a-z0-9-]{0,23}")
SUFFIXES: dict[str, ReplyMode] = {"all": "all", "merged": "merged", "route": "route", "choices": "choices"}


def read_collection(model: str) -> tuple[str, ReplyMode | None]:
    """The bare collection name and the reply mode in a model name such as `bench/core:merged`.

    An unknown suffix stays part of the name, so that it is an unknown collection and not a silent default.
    """
    return _known_collection(model) if len(model) <= LONGEST_REMEMBERED else _read_collection(model)


def _read_collection(model: str) -> tuple[str, ReplyMode | None]:
    name = model.strip().removeprefix(PREFIX)
    bare, colon, suffix = name.rpartition(":")
    if colon and suffix in SUFFIXES:
        return bare, SUFFIXES[suffix]
    return name, None


_known_collection = lru_cache(1_024)(_read_collection)  # every request reads its own several times


def spellings(name: str) -> tuple[str, ...]:
    """The ways in which clients write the same model's name, as it came first: Gemini's put `models/` before it,
    Ollama's `:latest` after it."""
    bare = name.removeprefix("models/").removesuffix(":latest")
    return name, bare, f"{bare}:latest", f"models/{bare}"


def family_of(served: str) -> str:
    """What the same model is called on every provider: the last path segment up to a colon, without `-`, `_`, `.`."""
    tail = served.rsplit("/", 1)[-1].split(":", 1)[0].lower()
    return re.sub(r"[-_.]", "", tail)


def as_offered(name: str, offered: Collection[str]) -> str:
    """The name of a tool as the caller offered it: a namespace that it never spoke of is taken off."""
    return name if name in offered else name.rpartition("__")[2] or name


def key_variable(name: str) -> str:
    """The environment variable that brings the secret `name`, and wins over the stored one."""
    return "BENCHWARMERS_KEY_" + name.upper().replace("-", "_")
