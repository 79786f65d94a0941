"""Files that people give: set-up files, tasks, suites of other programs, the original's folder, lists of work."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured

from benchwarmers.tests.hostile.fuzz.base import Target
from collections_app.offline_file import Unreadable, as_moment, read_offline
from collections_app.setup_file.read import Mistaken, read_setup
from gateway.canon.kinds import TaskShape
from probes.original.folder import DOCUMENTS, MODELS, NoFolder, read_folder
from probes.sign_ins.providers import read_providers
from probes.tests.original.made import make_folder
from suite.exports.promptfoo_tests import BadFile, read_tests
from suite.folders import KEYS, BadTask, read_task
from suite.judging.claims import claims, units
from suite.keys import BadKey, read_key
from suite.mining import files_in
from suite.real.patch import Unfit, read_change
from suite.real.rows import BadRows, read_file
from suite.scoring import score

SETUP: Final = b"""# a set-up
[settings]
max_calls = 3

[[endpoint]]
name = "one"
base = "http://127.0.0.1:1/v1"
headers = { "x-team" = "a\\u0041", 'y' = '''long
text''' }
unlisted_models = ["a", "b"]

[[model]]
alias = "m"
served = "vendor/m"
endpoint = "one"
options = { temperature = 0.5, "deep" = { a = [1, 2.5e3, 2026-01-31T10:00:00Z] } }

[[collection]]
name = "core"
members = [
  "m",  # first
]
"""
TASK: Final[dict[str, Any]] = {
    "prompt": "Is it so?",
    "shape": "claim",
    "must_find": ["verdict: true", {"any_of": ["a", "b"]}, {"regex": "line \\d+", "label": "the line"}],
    "must_not_claim": [{"any_of": ["never"]}],
    "score_in": "first_line",
    "min_answer_chars": 10,
    "format": {"table": True, "min_rows": 3, "must_not_contain": ["x"]},
    "lines": [3, 4],
    "attach": ["a.py"],
    "created": "2026-01-31T10:00:00Z",
    "control": False,
}
PROMPTFOO: Final = b"""prompts: ["Name the capital of {{ country }}.", {label: two, raw: "{{country}}?"}]
defaultTest: {vars: {country: France}, assert: [{type: not-contains, value: sorry}]}
assertionTemplates: {t: {type: contains, value: Paris}}
tests:
  - description: one
    vars: {country: France}
    assert:
      - {type: contains-any, value: [Paris, Lyon]}
      - {type: regex, value: "^P(a+)+ris$"}
      - $ref: "#/assertionTemplates/t"
  - &a {vars: {country: {name: x}}, assert: [{type: equals, value: 42}, {type: javascript, value: "1"}]}
  - *a
"""
PATCH: Final = """diff --git a/pkg/mod.py b/pkg/mod.py
--- a/pkg/mod.py
+++ b/pkg/mod.py
@@ -3,5 +3,5 @@ def f():
     a = 1
-    return a < 2
+    return a <= 2
 
 x = 3
"""
ROW: Final = {
    "instance_id": "o__p-1",
    "repo": "o/p",
    "base_commit": "abc",
    "created_at": "2026-01-31T00:00:00Z",
    "patch": PATCH,
    "language": "python",
    "files": {"pkg/mod.py": "a = 1\n"},
}
OFFLINE: Final = (
    b"model,date,task,useful,note,real,false,judge\nm,2026-01-31,Review,yes,ok,a | b,c,ann\n",
    b'model;date;task\nm;2026-01-31T10:00+02:00;"two\nlines"\n',
    b'[{"model": "m", "date": "2026-01-31", "task": "t", "useful": true, "real": ["a"], "false": []}]',
    b'{"model": "m", "date": "2026-01-31 10:00:00Z", "task": "t", "useful": "no"}\n{"model": "n", "task": ""}',
)
ANSWERS: Final = (
    b"# Faults\n\n1. **Line 7** is `wrong`.\n- [x] See [it](http://h/a_(b)).\n\n| a | b |\n|---|---|\n| never | c |\n",
    b"verdict: true\n\nIt isn't so, and never was. ```py\nx = 1\n```\n",
    b"===== FILE: a.py =====\nx = 1\n===== b.py =====\ny\n",
)


def targets() -> list[Target]:
    """One for each kind of file."""
    return [
        Target("set-up file", lambda: [SETUP], _setup, (Mistaken,)),
        Target("offline file", lambda: OFFLINE, _offline, (Unreadable,)),
        Target("task folder", _documents(TASK), _in_file("task.json", _task), (BadTask,)),
        Target("key of a task", _documents(TASK), _key, (BadKey,)),
        Target("tests of promptfoo", lambda: [PROMPTFOO], _in_file("p.yaml", _promptfoo), (BadFile,)),
        Target("rows of fixes", _rows, _in_file("rows.json", read_file), (BadRows,)),
        Target("patch", lambda: [PATCH.encode()], _patch, (Unfit,)),
        Target(
            "sign-in providers",
            _providers,
            _in_file("providers.json", read_providers.__wrapped__),
            (ImproperlyConfigured,),
        ),
        Target("answer of a task", lambda: ANSWERS, _answer),
        *(Target(f"original {place}", partial(_original, place), _in_folder(place), (NoFolder,)) for place in PLACES),
    ]


PLACES: Final = (
    *DOCUMENTS.values(),
    MODELS,
    "metrics/offloads.jsonl",
    "runs/gateway/calls.jsonl",
    "metrics/usage/2026-05.jsonl",
    "perf/history.csv",
)


def _documents(*said: Any) -> Callable[[], Sequence[bytes]]:
    return lambda: [json.dumps(one).encode() for one in said]


@cache
def folder() -> Path:
    """One for the whole process, removed at its end."""
    import atexit

    made = Path(tempfile.mkdtemp(prefix="bench-fuzz-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def _in_file(name: str, read: Callable[[Path], object]) -> Callable[[bytes, Random], object]:
    def written(data: bytes, rng: Random) -> object:
        file = folder() / "one" / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(data)
        return read(file)

    return written


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _setup(data: bytes, rng: Random) -> None:
    for entry in read_setup(_text(data)):
        assert entry.place.line >= 1
        assert isinstance(entry.name, str)


def _offline(data: bytes, rng: Random) -> None:
    from datetime import UTC

    for row in read_offline(_text(data)):
        if row.on is not None:
            as_moment(row.on, UTC)


def _task(file: Path) -> None:
    draft, _ = read_task(file, {"default": file.parent / "code"})
    _scored(draft.key, draft.shape)


def _key(data: bytes, rng: Random) -> None:
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        return
    if isinstance(said, dict):
        _scored(said, rng.choice(list(TaskShape)))


def _scored(said: dict[str, Any], shape: TaskShape) -> None:
    """By every kind of answer. Patterns are whoever's who writes tasks, and not judged here."""
    key = read_key({name: said[name] for name in KEYS if name in said})
    if any(clause.regex for clause in (*key.must_find, *key.must_not_claim)):
        return
    for answer in ANSWERS:
        came = score(key, shape, control=False, answer=answer.decode())
        assert 0 <= came.found <= came.of


def _promptfoo(file: Path) -> None:
    for came in read_tests(file):
        assert came.draft is not None or came.left


def _rows() -> Sequence[bytes]:
    row = json.dumps(ROW).encode()
    return [b"[" + row + b"]", row + b"\n" + row, b'{"rows": [{"row": ' + row + b"}]}"]


def _patch(data: bytes, rng: Random) -> None:
    change = read_change(_text(data))
    assert change.path
    assert change.lines


def _providers() -> Sequence[bytes]:
    one = {"name": "x", "label": "X", "flow": "code", "authorize": "https://h/a", "token": "https://h/t"}
    return [json.dumps([one]).encode()]


def _answer(data: bytes, rng: Random) -> None:
    from collections_app.claim_map import plain, read_points

    text = _text(data)
    key = read_key({name: TASK[name] for name in KEYS if name in TASK})
    for shape in TaskShape:
        came = score(key, shape, control=False, answer=text)
        claims(key, shape, [], text)
        assert 0 <= came.found <= came.of
    units(text)
    files_in(text)
    for point in read_points(text)[:50]:
        plain(point)


@cache
def _home() -> Path:
    return make_folder(folder() / "original")


def _original(place: str) -> Sequence[bytes]:
    file = _home() / place
    return [file.read_bytes()] if file.is_file() else [b"{}", b"a,b\n1,2\n"]


def _in_folder(place: str) -> Callable[[bytes, Random], object]:
    def read(data: bytes, rng: Random) -> None:
        file = _home() / place
        before = file.read_bytes() if file.is_file() else None
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        try:
            found = read_folder(_home())
            for rows in (found.offloads(), found.panels(), found.ledger(), found.probes()):
                for _ in rows:
                    pass
        finally:
            file.unlink() if before is None else file.write_bytes(before)

    return read
