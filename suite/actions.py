"""What people do with the suite: accept, edit, drop and bring back tasks, and begin a pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from hashlib import sha256
from typing import Any, Final

from django.contrib.auth.models import User
from msgspec import DecodeError, Struct, json, structs

from collections_app.journal import journal, require
from collections_app.models import LanguageModel
from collections_app.refusal import Problems, Refused
from gateway.canon.kinds import TaskShape
from gateway.models import Panel
from probes.jobs.store import enqueue
from probes.models import Job
from suite import store_tasks
from suite.drafts import Draft
from suite.keys import BadKey, read_key
from suite.mining import Mined
from suite.mining_rows import mine_panel
from suite.models import SuitePass, Task, TaskVersion
from suite.store import TOPIC, begin_pass, keep_task
from suite.work import NEVER_CHAT

CHANGE: Final = "suite.change_task"
BEGIN: Final = "suite.add_suitepass"
MOST_CALLS: Final = 20_000
MOST_REPETITIONS: Final = 20
LONGEST_S: Final = 3_600.0


def do_accept_tasks(*, actor: User | None, tasks: Sequence[Task], now: datetime) -> None:
    """Drafts become tasks that are asked by themselves and counted. What is no draft stays as it is.

    :raises Refused: one of them was dropped, or its key cannot be used.
    """
    require(actor, CHANGE, "review tasks")
    problems = Problems()
    for task in tasks:
        problems.check(not task.dropped, "", f"{task.slug} was dropped; restore it first.")
        problems.add("key", _trouble(_current(task).key))
    problems.refuse()
    with journal(actor, TOPIC) as log:
        for task in tasks:
            if task.draft:
                store_tasks.accept(task, log.actor_name, now)
                log.note("task", task.slug, "draft", old=True, new=False)


def do_mine_panel(*, actor: User | None, panel: Panel, now: datetime) -> Mined:
    """Drafts of the claims of this panel on which all who judged them agree. Who may see it is for the caller to
    decide.

    :raises NothingToMine: there is nothing to make one of, or it was done before.
    """
    require(actor, CHANGE, "make tasks of claims")
    with journal(actor, TOPIC) as log:
        mined = mine_panel(panel, by=log.actor_name, now=now)
        log.note("task", panel.pk, "mined", new=[draft.slug for draft in mined.drafts])
    return mined


def do_begin_mining(*, actor: User | None, now: datetime) -> Job:
    """A job that does so to every panel with judged claims of which no tasks were made.

    :raises Refused: one is under way.
    """
    require(actor, CHANGE, "make tasks of claims")
    with journal(actor, TOPIC) as log:
        job = enqueue("suite-mine", "all", now=now, actor=actor, by=log.actor_name)
        if job is None:
            raise Refused([("", "Tasks of judged claims are being made already.")])
        log.note("suite", "mining", new="begun")
    return job


def do_drop_tasks(*, actor: User | None, tasks: Sequence[Task], now: datetime, dropped: bool = True) -> None:
    """Tasks that nobody is asked and no sum counts; what was answered is kept. `dropped` False brings them back."""
    require(actor, CHANGE, "drop tasks" if dropped else "bring tasks back")
    with journal(actor, TOPIC) as log:
        for task in tasks:
            if log.note_fields("task", task.slug, {"dropped": task.dropped}, {"dropped": dropped}):
                store_tasks.set_dropped(task, dropped, log.actor_name, now)


class Edit(Struct, frozen=True):
    """A task as somebody wants it. `key` is JSON text, `files` are the texts of its attachments in their
    order; without any they stay as they are."""

    title: str
    prompt: str
    key: str
    why: str = ""
    files: tuple[str, ...] = ()
    language: str = ""
    source_url: str = ""
    contamination: str = ""
    created_on: str = ""


def do_edit_task(*, actor: User | None, task: Task, edit: Edit, now: datetime) -> bool:
    """The task as the edit has it: a new version where what is asked or its key is another. Whether it is.

    :raises Refused: with every field that cannot be so.
    """
    require(actor, CHANGE, "edit tasks")
    current = _current(task)
    wanted = _draft(task, current, edit)
    before, after = draft_of(task, current), wanted
    fields = ("title", "language", "source_url", "contamination", "created_on", "prompt", "key", "attachments", "why")
    with journal(actor, TOPIC) as log:
        old, new = ({name: _told(getattr(one, name)) for name in fields} for one in (before, after))
        if not log.note_fields("task", task.slug, old, new):
            return False
        keep_task(wanted, by=log.actor_name, now=now)
        store_tasks.set_why(task, wanted.why)
    task.refresh_from_db()
    return wanted.digest != current.digest


def do_begin_pass(
    *,
    actor: User | None,
    models: Sequence[LanguageModel],
    versions: Sequence[TaskVersion],
    now: datetime,
    repetitions: int = 1,
    timeout_s: float = 420.0,
    note: str = "",
) -> tuple[SuitePass, Job]:
    """Every one of the models is asked every one of the tasks so many times, by a job that begins at once.

    :raises Refused: it would ask nothing or too much, or a model cannot be asked.
    """
    require(actor, BEGIN, "begin a pass")
    problems = Problems()
    problems.check(bool(models), "model", "Choose at least one model.")
    problems.check(bool(versions), "task", "No task fits; choose others.")
    problems.check(
        1 <= repetitions <= MOST_REPETITIONS, "repetitions", f"Repetitions are from 1 to {MOST_REPETITIONS}."
    )
    problems.check(0 < timeout_s <= LONGEST_S, "timeout_s", f"The time limit is above 0 and at most {LONGEST_S:.0f} s.")
    calls = len(models) * len(versions) * repetitions
    problems.check(calls <= MOST_CALLS, "", f"That would be {calls:,} calls; one pass makes at most {MOST_CALLS:,}.")
    for model in models:
        problems.add("model", _why_not(model))
    problems.refuse()
    with journal(actor, TOPIC) as log:
        new = begin_pass(
            "manual",
            versions,
            models,
            by=log.actor_name,
            now=now,
            note=note,
            repetitions=repetitions,
            timeout_s=timeout_s,
        )
        job = enqueue("suite-pass", str(new.pk), now=now, payload={"pass": new.pk}, actor=actor, by=log.actor_name)
        if job is None:  # its key is new, so no other can be open
            raise Refused([("", "This pass is under way already.")])
        log.note("suite pass", str(new.pk), new={"calls": calls, "models": [model.alias for model in models]})
    return new, job


def draft_of(task: Task, version: TaskVersion) -> Draft:
    """The task as it is, as it would be written."""
    return Draft(
        slug=task.slug,
        title=task.title,
        shape=TaskShape(task.shape),
        prompt=version.prompt,
        key=version.key,
        attachments=version.attachments,
        why=version.why,
        origin=task.origin,
        language=task.language,
        mutation=task.mutation,
        pair=task.pair,
        control=task.control,
        source=task.source,
        source_url=task.source_url,
        licence=task.licence,
        created_on=task.created_on,
        contamination=task.contamination,
    )


def _draft(task: Task, current: TaskVersion, edit: Edit) -> Draft:
    problems = Problems()
    problems.check(bool(edit.title.strip()), "title", "A task has a title.")
    problems.check(bool(edit.prompt.strip()), "prompt", "A task asks something; the prompt is empty.")
    url = edit.source_url.strip()
    problems.check(
        not url or url.startswith(("http://", "https://")), "source_url", "The address begins with http or https."
    )
    files = edit.files or tuple(one["text"] for one in current.attachments)
    problems.check(len(files) == len(current.attachments), "files", "The task has other files by now; begin again.")
    key, trouble = _read_key(edit.key)
    problems.add("key", trouble)
    day, trouble = _read_day(edit.created_on)
    problems.add("created_on", trouble)
    problems.refuse()
    return structs.replace(
        draft_of(task, current),
        title=edit.title.strip(),
        prompt=_typed(edit.prompt, current.prompt),
        key=key,
        why=_typed(edit.why, current.why),
        attachments=[
            {**one, "text": _typed(text, one["text"])} for one, text in zip(current.attachments, files, strict=True)
        ],
        language=edit.language.strip()[:16],
        source_url=url,
        contamination=edit.contamination.strip(),
        created_on=day,
    )


def _typed(text: str, old: str) -> str:
    """As a form sends it back; what differs in the ends of lines alone is not changed."""
    plain = text.replace("\r\n", "\n")
    return old if plain.strip() == old.replace("\r\n", "\n").strip() else plain


def _read_key(text: str) -> tuple[dict[str, Any], str]:
    """(the key, what is wrong with it)."""
    try:
        said = json.decode(text.encode())
    except DecodeError as error:
        return {}, f"The key is not JSON: {error}."
    if not isinstance(said, dict):
        return {}, "The key is a JSON object."
    return said, _trouble(said)


def _trouble(key: Mapping[str, Any]) -> str:
    try:
        read_key(key)
    except BadKey as problem:
        return str(problem)
    return ""


def _read_day(text: str) -> tuple[date | None, str]:
    try:
        return (date.fromisoformat(text.strip()) if text.strip() else None), ""
    except ValueError:
        return None, "The day is written as 2026-11-29."


def _why_not(model: LanguageModel) -> str:
    if model.retired:
        return f"{model.alias} is retired; restore it first."
    if model.role in NEVER_CHAT:
        return f"{model.alias} does not chat."
    if model.went_paid_at and not model.allow_paid:
        return f"{model.alias} costs money now; allow that on its page first."
    return ""


def _current(task: Task) -> TaskVersion:
    return task.versions.get(current=True)


def _told(value: object) -> object:
    """As the change log keeps it: of files what tells them apart, as their texts stay with the versions."""
    if isinstance(value, list):
        return [f"{one['name']} {sha256(one['text'].encode()).hexdigest()[:12]}" for one in value]
    return value.isoformat() if isinstance(value, date) else value
