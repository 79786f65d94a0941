"""What a version of a task shows a model. Around a needle that is made at the time of asking, from the packages as they
are installed; the version keeps how, and the digest of what must come of it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from gateway.canon.kinds import TaskShape
from suite.keys import whole_prompt
from suite.models import TaskVersion
from suite.needles import context
from suite.seeding.sources import NoSource, package_root

_KEPT: Final = 4
"""Texts of half a megabyte each; a pass asks one version of all its models before the next."""


class CannotShow(Exception):
    """What the version showed cannot be made again; the text says why."""


def shown(version: TaskVersion) -> str:
    """The whole prompt.

    :raises CannotShow: it is a needle whose code is not installed any more, or is another by now.
    """
    if version.task.shape != TaskShape.NEEDLE:
        return whole_prompt(version.prompt, version.attachments)
    try:
        recipe = context.read_recipe(version.attachments)
    except msgspec.MsgspecError as problem:
        raise CannotShow(f"The recipe of the code cannot be read: {problem}.") from None
    if recipe is None:
        return whole_prompt(version.prompt, version.attachments)
    return context.whole(version.prompt, _made(recipe.attached()["text"]))


@lru_cache(maxsize=_KEPT)
def _made(recipe_text: str) -> str:
    recipe = msgspec.json.decode(recipe_text, type=context.Recipe)
    text = context.code(recipe, read_file)
    if context.digest(text) != recipe.digest:
        told = ", ".join(f"{name} {release}" for name, release in recipe.packages.items())
        raise CannotShow(f"The installed code is not that of {told} any more, which the task was made from.")
    return text


def read_file(name: str) -> str:
    """The text of an installed package's file by its name, such as `django/apps/config.py`.

    :raises CannotShow: there is none, or it is outside of the package.
    """
    package, _, inside = name.partition("/")
    try:
        root = package_root(package) if package.isidentifier() else None
    except NoSource as problem:
        raise CannotShow(str(problem)) from None
    path = (root / inside).resolve() if root else Path()
    # A recipe can be edited by people: it must lead to no other file of this machine.
    if root is None or not inside.endswith(".py") or not path.is_relative_to(root.resolve()):
        raise CannotShow(f"{name} is no file of a package.")
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise CannotShow(f"{name} is not installed here any more.") from None
