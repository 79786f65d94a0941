"""Makes the installation equal to what a set-up file names, through the same actions as everybody else.

One transaction: with any mistake nothing is written. What the file leaves out of an entry is set to its default;
what it does not name at all is left alone, or removed with `prune`. Evidence, the ledger and the practice squad are
never touched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from django.contrib.auth.models import User
from django.db import transaction

from collections_app.journal import Journal, journal
from collections_app.models import Setting
from collections_app.refusal import NotAllowed, Refused
from collections_app.setup_file.prune import Removal, plan_removals
from collections_app.setup_file.read import Entry, Mistake, Mistaken, read_setup
from collections_app.setup_file.write import WRITERS, Context

BEFORE_SETTINGS = ("person", "team", "endpoint", "connection", "model", "decision_model", "collection")
AFTER_SETTINGS = ("alias", "key")
ACTOR_NAME = "set-up"


@dataclass
class Outcome:
    """What was done, entry by entry: (section, name) in the order of doing. `notes` are sentences for the operator."""

    added: list[tuple[str, str]] = field(default_factory=list)
    changed: list[tuple[str, str]] = field(default_factory=list)
    left: list[tuple[str, str]] = field(default_factory=list)
    removed: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def writes(self) -> bool:
        """Whether anything differed."""
        return bool(self.added or self.changed or self.removed)


class _Undo(Exception):
    """Ends a dry run."""


def apply_setup(
    text: str, *, actor: User | None, environ: Mapping[str, str], dry_run: bool = False, prune: bool = False
) -> Outcome:
    """Apply the file's text. `environ` brings the gateway keys that the file names. A dry run undoes all it did.

    :raises Mistaken: with every mistake and its line; then nothing was written.
    :raises NotAllowed: the actor may not change these things at all.
    """
    entries = read_setup(text)
    outcome = Outcome()
    try:
        with transaction.atomic(), journal(actor, "setup", by=ACTOR_NAME) as log:
            _Run(log, outcome, Context(actor=actor, environ=environ)).go(entries, prune=prune)
            if dry_run:
                raise _Undo
    except _Undo:
        pass
    return outcome


def _without_picker(entry: Entry) -> Entry:
    return replace(entry, values={name: value for name, value in entry.values.items() if name != "picker"})


def _only_picker(entry: Entry) -> Entry:
    return replace(entry, values={name: value for name, value in entry.values.items() if name == "picker"})


class _Run:
    """One application: goes through the entries, gathers what was done and what is wrong."""

    def __init__(self, log: Journal, outcome: Outcome, context: Context) -> None:
        self.log = log
        self.outcome = outcome
        self.context = context
        self.mistakes: list[Mistake] = []

    def go(self, entries: list[Entry], *, prune: bool) -> None:
        """:raises Mistaken: when anything was refused."""
        settings = [entry for entry in entries if entry.section == "settings"]
        # Room is made before the collections that need it, and taken away after those that give it up.
        early = [entry for entry in settings if entry.values.get("max_calls", 0) >= Setting.load().max_calls]
        self._write(_without_picker(entry) for entry in early)  # whom it names may not be there yet
        if prune:  # an alias that goes leaves its name to a collection
            self._remove(plan_removals(entries, ("alias",)))
        for section in BEFORE_SETTINGS:
            self._write(entry for entry in entries if entry.section == section)
        if prune and not self.mistakes:
            self._remove(plan_removals(entries, ("collection",)))
        self._write(_only_picker(entry) if entry in early else entry for entry in settings)
        for section in AFTER_SETTINGS:
            self._write(entry for entry in entries if entry.section == section)
        if prune and not self.mistakes:
            self._remove(
                plan_removals(entries, ("key", "model", "decision_model", "connection", "endpoint", "team", "person"))
            )
        if self.mistakes:
            raise Mistaken(self.mistakes)

    def _write(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self._do(entry, lambda entry=entry: WRITERS[entry.section](self.context, entry))  # type: ignore[misc]

    def _do(self, entry: Entry, act: Callable[[], str]) -> None:
        before = len(self.log.rows)
        try:
            note = act()
        except NotAllowed:
            raise
        except Refused as refusal:
            self.context.failed.add((entry.section, entry.name))
            self.mistakes += [Mistake(entry.place.of(where), sentence) for where, sentence in refusal.problems]
            return
        if note:
            self.outcome.notes.append(note)
        made = self.log.rows[before:]
        if not made:
            kind = self.outcome.left
        elif made[0].field == "" and made[0].old is None:
            kind = self.outcome.added
        else:
            kind = self.outcome.changed
        self._tell(kind, (entry.section, entry.name))

    def _tell(self, kind: list[tuple[str, str]], name: tuple[str, str]) -> None:
        """Each entry once: settings that were written in two parts are left only where neither changed."""
        if kind is self.outcome.changed and name in self.outcome.left:
            self.outcome.left.remove(name)
        if name not in (*self.outcome.changed, *self.outcome.left):
            kind.append(name)

    def _remove(self, removals: Iterable[Removal]) -> None:
        for removal in removals:
            if removal.why_not:
                self.outcome.notes.append(removal.why_not)
                continue
            removal.act(self.context.actor)
            self.outcome.removed.append((removal.section, removal.name))
