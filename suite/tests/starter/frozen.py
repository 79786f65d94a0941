"""The pack as its folders have it, and a frozen file of Python as a module of its own."""

from __future__ import annotations

import functools
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from suite.drafts import Draft
from suite.folders import read_tasks
from suite.keys import Key, read_key
from suite.starter_pack import FOLDER

_CASE = re.compile(r"^([a-z]\d+) = (.+)$", re.M)


@functools.cache
def pack() -> dict[str, Draft]:
    """Task by slug."""
    return {draft.slug: draft for draft, _ in read_tasks(FOLDER)}


def task(slug: str) -> Draft:
    return pack()[slug]


def key_of(draft: Draft) -> Key:
    return read_key(draft.key)


def shown(draft: Draft) -> dict[str, str]:
    """Text by the last part of its name."""
    return {Path(one["name"]).name: one["text"] for one in draft.attachments}


def only(files: Mapping[str, str]) -> str:
    """The text of the one file that is shown."""
    (text,) = files.values()
    return text


def plain(numbered: str) -> str:
    """The source without the numbers before its lines."""
    return "\n".join(line.partition("|")[2].removeprefix(" ") for line in numbered.splitlines()) + "\n"


def module(text: str) -> Any:
    """What the file defines. Only for files that need nothing of this project."""
    made = ModuleType("a_frozen_file")
    sys.modules[made.__name__] = made  # dataclasses look their module up
    try:
        exec(compile(text, "a_frozen_file", "exec"), vars(made))  # noqa: S102 it is our own
    finally:
        del sys.modules[made.__name__]
    return made


def cases(prompt: str) -> dict[str, Any]:
    """What the prompt lists as `a1 = <JSON>`, by label."""
    return {label: json.loads(said) for label, said in _CASE.findall(prompt)}
