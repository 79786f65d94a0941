"""Reads tasks from folders: one a task, with `task.json` and, beside it, `fixtures/` for the files it shows.

    {"id", "title", "why", "prompt", "shape", "kind", "draft", "repo", "attach", "must_find", "must_not_claim", ...,
     "source", "source_url", "created", "license", "pair", "control", "language", "lines"}

The form is the original's, whose shape `seeded` is ours, `rebench` our `real`, and none our `finding`. A file in
`attach` is looked for in the repository that `repo` names, and then, by its last name, among the fixtures. There it may
end with `.txt` besides, so that nothing takes a frozen file for one of the program's own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

from gateway.canon.kinds import TaskShape
from suite.drafts import Draft
from suite.keys import BadKey, read_key

SHAPES: Final = {
    "": TaskShape.FINDING,
    "finding": TaskShape.FINDING,
    "claim": TaskShape.CLAIM,
    "seeded": TaskShape.SEEDED,
    "rebench": TaskShape.REAL,
    "real": TaskShape.REAL,
}
KEYS: Final = (
    *("must_find", "must_not_claim", "must_not_claim_in", "score_in", "min_answer_chars", "format", "lines"),
)
ORIGINS: Final = {"seeded": "seeded", "rebench": "real", "real": "real"}
LEAST: Final = {TaskShape.CLAIM: 10, TaskShape.SEEDED: 8, TaskShape.REAL: 8}
"""The fewest characters of an answer where the task does not say."""


class BadTask(Exception):
    """A folder that is no task that can be asked; the text names it and says why."""


def read_tasks(folder: Path, repos: Mapping[str, Path] | None = None) -> Iterator[tuple[Draft, bool]]:
    """(task, whether it is a draft) of each folder below, by name.

    :raises BadTask: one of them cannot be used.
    """
    for file in sorted(folder.glob("*/task.json")):
        yield read_task(file, repos or {})


def read_task(file: Path, repos: Mapping[str, Path]) -> tuple[Draft, bool]:
    """(task, whether it is a draft).

    :raises BadTask: it cannot be used.
    """
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadTask(f"{file}: {error}") from None
    if not isinstance(said, dict):
        raise BadTask(f"{file}: not a JSON object")
    name = str(said.get("id") or file.parent.name)
    shape = SHAPES.get(str(said.get("shape") or ""))
    if shape is None:
        raise BadTask(f"{name}: there is no shape {str(said.get('shape'))[:40]!r}")
    if not str(said.get("prompt") or "").strip():
        raise BadTask(f"{name}: it has no prompt")
    key = {field: said[field] for field in KEYS if field in said}
    if shape in LEAST:
        key.setdefault("min_answer_chars", LEAST[shape])
    try:
        read_key(key)
    except BadKey as problem:
        raise BadTask(f"{name}: {problem}") from None
    return _draft(said, name, shape, key, _attachments(said, file.parent, repos, name)), bool(said.get("draft"))


def _draft(
    said: Mapping[str, Any], name: str, shape: TaskShape, key: dict[str, Any], shown: list[dict[str, str]]
) -> Draft:
    return Draft(
        slug=name[:80],
        title=str(said.get("title") or name)[:200],
        shape=shape,
        prompt=str(said["prompt"]),
        key=key,
        attachments=shown,
        why=str(said.get("why") or ""),
        origin=str(
            said.get("origin") or ORIGINS.get(str(said.get("shape")), "mined" if said.get("mined_from") else "hand")
        ),
        language=str(said.get("language") or ""),
        mutation=str(said.get("kind") or ""),
        pair=str(said.get("pair") or ""),
        control=bool(said.get("control", name.endswith("-control"))),
        source=str(said.get("source") or said.get("mined_from") or ""),
        source_url=str(said.get("source_url") or ""),
        licence=str(said.get("license") or ""),
        created_on=_day(said.get("created")),
        contamination=str(said.get("contamination") or ""),
    )


def _attachments(said: Mapping[str, Any], folder: Path, repos: Mapping[str, Path], name: str) -> list[dict[str, str]]:
    root = repos.get(str(said.get("repo") or "default"))
    shown = []
    if not isinstance(said.get("attach") or [], list):
        raise BadTask(f"{name}: attach is a list of paths")
    for path in said.get("attach") or ():
        try:
            near = folder / "fixtures" / Path(str(path)).name
            file = _inside(root, str(path)) if root is not None else None
            if file is None or not file.is_file():
                file = near if near.is_file() else near.with_name(f"{near.name}.txt")
            shown.append({"name": str(path), "text": file.read_text(encoding="utf-8")})
        except (OSError, ValueError):  # no text, or no name that a file can have
            raise BadTask(
                f"{name}: the file {str(path)[:100]} is neither in the repository nor among its fixtures"
            ) from None
    return shown


def _inside(root: Path, path: str) -> Path | None:
    """The file, unless the path leads out of the repository."""
    file = (root / path).resolve()
    return file if file.is_relative_to(root.resolve()) else None


def _day(said: Any) -> date | None:
    try:
        return date.fromisoformat(str(said)[:10]) if said else None
    except ValueError:
        return None
