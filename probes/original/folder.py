"""Reads the original's data folder. Decides nothing; a file that is missing is empty, one that cannot be read is told.

The forms were learned by running the original and looking at what it wrote.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml
from msgspec import Struct, field

Record = dict[str, Any]
DOCUMENTS: Final = {
    "endpoints": "config/endpoints.json",
    "roles": "config/model-roles.json",
    "options": "config/model-options.json",
    "overrides": "config/model-overrides.json",
    "learned": "config/model-learned.json",
    "history": "config/alias-history.json",
    "tags": "config/provider-tags.json",
    "collections": "config/collections.json",
    "decisions": "config/decision-models.json",
    "retired": "config/retired.json",
    "limits": "config/connection-limits.json",
    "connections": "config/connections.json",
    "gateway": "config/gateway.json",
    "keys": "config/gateway-keys.json",
    "dismissed": "config/dismissed.json",
    "scheduler": "config/scheduler.json",
}
"""By the name they have here. Each is an object."""
PLAIN: Final = frozenset({"roles", "history", "tags", "connections", "gateway", "scheduler"})
"""Those whose values are no objects."""
MODELS: Final = "config/extra-openai-models.yaml"
OFFLOADS: Final = "metrics/offloads.jsonl"
PANELS: Final = "runs/gateway/calls.jsonl"
LEDGER: Final = "metrics/usage"
PROBES: Final = "perf/history.csv"
ANSWERS: Final = "suite/tasks"


class NoFolder(Exception):
    """It is not a data folder of the original; the text says what is missing."""


class Folder(Struct):
    """What was read at once. `documents` hold objects by name, `models` the registrations in order; `problems` are
    sentences about files, each with its path. What can be long is read line by line by the methods."""

    path: Path
    documents: dict[str, Record] = field(default_factory=dict)
    models: list[Record] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def offloads(self) -> Iterator[tuple[int, Record]]:
        """(line, record) of each piece of work, in order."""
        return self._lines(self.path / OFFLOADS)

    def panels(self) -> Iterator[tuple[int, Record]]:
        """(line, record) of each panel."""
        return self._lines(self.path / PANELS)

    def ledger(self) -> Iterator[tuple[str, Record]]:
        """(where, record) of each call, month by month; `where` is the file and the line."""
        for file in sorted((self.path / LEDGER).glob("*.jsonl")):
            for line, record in self._lines(file):
                yield f"{file.name}:{line}", record

    def probes(self) -> Iterator[tuple[int, dict[str, str]]]:
        """(line, row) of each measurement."""
        file = self.path / PROBES
        if not file.is_file():
            return
        with file.open(encoding="utf-8", errors="replace", newline="") as text:
            try:
                for number, row in enumerate(csv.DictReader(text), 2):
                    yield number, {name: value or "" for name, value in row.items() if name}
            except csv.Error as error:
                self.problems.append(f"{PROBES}: {error}; the rest is left out")

    def answers(self) -> int:
        """How many answers to tasks of the suite are saved."""
        return sum(1 for file in (self.path / ANSWERS).glob("*/output/*") if file.is_file())

    def _lines(self, file: Path) -> Iterator[tuple[int, Record]]:
        if not file.is_file():
            return
        with file.open(encoding="utf-8", errors="replace") as text:
            for number, line in enumerate(text, 1):
                if not line.strip():
                    continue
                try:
                    record = json.loads(line)
                except (ValueError, RecursionError):
                    record = None
                if isinstance(record, dict):
                    yield number, record
                else:
                    self.problems.append(f"{file.relative_to(self.path)}, line {number}: no JSON object; left out")


def read_folder(path: Path) -> Folder:
    """The folder.

    :raises NoFolder: it is none, or one of its documents is damaged: nothing is guessed from half a file.
    """
    if not (path / "config").is_dir():
        raise NoFolder(f"{path} has no folder config; name the folder that BENCHWARMERS_HOME named for the original.")
    folder = Folder(path)
    for name, place in DOCUMENTS.items():
        found = _document(path / place, place)
        odd = [] if name in PLAIN else [key for key, value in found.items() if not isinstance(value, dict)]
        folder.problems += [f"{place}: {key} is no object; left out" for key in odd]
        folder.documents[name] = {key: value for key, value in found.items() if key not in odd}
    folder.models = _models(path / MODELS)
    return folder


def _document(file: Path, place: str) -> Record:
    try:
        found = json.loads(file.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise NoFolder(f"{place} cannot be read: {error}.") from error
    if not isinstance(found, dict):
        raise NoFolder(f"{place} is not a JSON object.")
    return {name: value for name, value in found.items() if not name.startswith("_")}


def _models(file: Path) -> list[Record]:
    try:
        found = yaml.safe_load(file.read_text(encoding="utf-8-sig")) or []
    except FileNotFoundError:
        return []
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise NoFolder(f"{MODELS} cannot be read: {error}.") from error
    if not isinstance(found, list):
        raise NoFolder(f"{MODELS} is not a list of models.")
    return [entry for entry in found if isinstance(entry, dict)]
