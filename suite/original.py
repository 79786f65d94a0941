"""Takes over the suite of the original Benchwarmers: its tasks, and the answers that it saved beside them.

A saved answer has no date: a file's time is that of the last copy. It counts as given now, to the task as it is now.
The original saved whatever came, so its own words for a call that failed are told from answers; a refusal has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from collections_app.journal import rehearse
from collections_app.models import LanguageModel
from gateway.canon.fault import FailureClass
from gateway.canon.kinds import AttemptOutcome, TaskShape
from probes.original.names import Aliases
from probes.original.report import Report
from suite.asking import key_of, score_answer
from suite.drafts import Draft
from suite.folders import BadTask, read_task
from suite.models import Attempt, TaskVersion
from suite.store import keep_task
from suite.store_import import KIND, Brought, keep_brought

BY: Final = "import"
TASKS: Final = "tasks of the suite"
ANSWERS: Final = "saved answers"
ENDINGS: Final = (".md", ".txt")
_TIMED_OUT: Final = "<<TIMED OUT after "
_FAILED: Final = re.compile(r"Error: (?:Error code: (\d{3})\b|client failed: |llm exited )")
_HUNTS: Final = (TaskShape.SEEDED, TaskShape.REAL)


class NoSuite(Exception):
    """The folder has no tasks of the original; the text says where they were looked for."""


class Told(Struct, frozen=True):
    """How a saved text is taken."""

    outcome: AttemptOutcome
    failure: str = ""
    detail: str = ""


def take_suite(folder: Path, repos: Mapping[str, Path], *, now: datetime, dry_run: bool = False) -> Report:
    """What was taken over, or would be. A second run adds nothing.

    :raises NoSuite: there are no tasks.
    """
    files = sorted(_place(folder).glob("*/task.json"))
    if not files:
        raise NoSuite(f"{folder} has no tasks of the original in suite/tasks; name its data folder.")
    report = Report()

    def take() -> None:
        _take(files, repos, report, now)

    if dry_run:
        rehearse(take)
    else:
        take()
    if report.of(ANSWERS).added:
        report.advice.append(
            "Saved answers have no date of their own: they count as given now, to the tasks as they are now. Times, "
            "tokens and costs of them are unknown, and a refusal is taken for an answer."
        )
    return report


def _place(folder: Path) -> Path:
    """The data folder leads there, and so does the folder of tasks itself."""
    inside = folder / "suite" / "tasks"
    return inside if inside.is_dir() else folder


def _take(files: list[Path], repos: Mapping[str, Path], report: Report, now: datetime) -> None:
    models = Aliases()
    brought: list[Brought] = []
    for file in files:
        saved = list(_saved(file.parent / "output"))
        try:
            draft, waits = read_task(file, repos)
        except BadTask as problem:
            report.of(TASKS).left.append((file.parent.name, str(problem).removeprefix(f"{file.parent.name}: ")))
            report.of(ANSWERS).left += [(f"{file.parent.name}, {name}", "its task is left out") for name, _ in saved]
            continue
        version = _version(completed(draft), waits, report, now)
        if version is None:
            report.of(ANSWERS).left += [(f"{draft.slug}, {name}", "its task is left out") for name, _ in saved]
            continue
        brought += _brought(version, saved, models, report)
    if brought:
        keep_brought(brought, note="saved answers of the original", by=BY, now=now)


def completed(draft: Draft) -> Draft:
    """The draft with what the original knows by names alone: the lines of a bug stand in the label of what must be
    found, and a bug and its control differ in the ends of their names."""
    if draft.shape not in _HUNTS:
        return draft
    stem, _, end = draft.slug.rpartition("-")
    other = {"bug": "control", "control": "bug"}.get(end)
    pair = draft.pair or (f"{stem}-{other}" if stem and other else "")
    key = dict(draft.key)
    if not draft.control and not key.get("lines"):
        labels = [str(clause.get("label", "")) for clause in key.get("must_find", ()) if isinstance(clause, dict)]
        if lines := [int(number) for number in re.findall(r"(?<!\d)\d{1,9}(?!\d)", " ".join(labels))]:
            key["lines"] = lines
    return msgspec.structs.replace(draft, key=key, pair=pair)


def _version(draft: Draft, waits: bool, report: Report, now: datetime) -> TaskVersion | None:
    """The version that asks what the draft does. A task that is here already stays as it is."""
    tally = report.of(TASKS)
    versions = list(TaskVersion.objects.filter(task__slug=draft.slug).select_related("task"))
    if not versions:
        task, _ = keep_task(draft, by=BY, now=now, reviewed=not waits)
        tally.added += 1
        return TaskVersion.objects.select_related("task").get(task=task, current=True)
    same = next((version for version in versions if version.digest == draft.digest), None)
    if same is None:
        tally.left.append((draft.slug, "a task of this name is here and asks or expects something else"))
        return None
    tally.known += 1
    return same


def _brought(version: TaskVersion, saved: list[tuple[str, str]], models: Aliases, report: Report) -> Iterator[Brought]:
    tally = report.of(ANSWERS)
    had = set(Attempt.objects.filter(version=version, suite_pass__kind=KIND).values_list("language_model_id", "answer"))
    seen: set[LanguageModel] = set()
    for alias, text in saved:
        model = models.find(alias)
        name = f"{version.task.slug}, {alias}"
        if model is None:
            tally.left.append((name, "there is no model of this name"))
        elif model in seen:
            tally.left.append((name, f"there is another of {model.alias}"))
        elif (model.pk, text) in had:
            tally.known += 1
        else:
            tally.added += 1
            told = told_by(text, key_of(version).min_answer_chars)
            scored = score_answer(version, text) if told.outcome is AttemptOutcome.ANSWERED else None
            yield Brought(version, model, told.outcome, text, told.failure, told.detail, scored)
        if model is not None:
            seen.add(model)


def _saved(folder: Path) -> Iterator[tuple[str, str]]:
    """(alias, text) of each saved answer, by name. What can be neither read as UTF-8 nor kept is replaced."""
    for file in sorted(folder.glob("*")):
        if file.is_file() and file.suffix in ENDINGS:
            yield file.stem, file.read_bytes().decode("utf-8", errors="replace").replace("\0", "\ufffd")


def told_by(text: str, least: int) -> Told:
    """How the original's saved text is taken: it wrote its own words where a call failed."""
    head = text.strip()
    if head.startswith(_TIMED_OUT):
        return Told(AttemptOutcome.TIMEOUT, FailureClass.TIMEOUT, head[:300])
    if failed := _FAILED.match(head):
        failure = FailureClass.CAPACITY if failed[1] == "429" else FailureClass.OTHER
        return Told(AttemptOutcome.ERROR, failure, head[:300])
    if len(head) < least:
        return Told(AttemptOutcome.EMPTY, FailureClass.EMPTY)
    return Told(AttemptOutcome.ANSWERED)
