"""The keys of findings, worked out anew from what the task shows: by running the frozen code, or by reading its tree.

Each function gives (what is to be found, what is not) as an answer names it after `FOUND:`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

from suite.tests.starter.frozen import cases, module, only

Files = Mapping[str, str]
Derived = tuple[set[str], set[str]]


def parted(prompt: str, holds: Callable[[Any], bool]) -> Derived:
    """The labels of the cases by whether it holds of them."""
    found = {label: holds(case) for label, case in cases(prompt).items()}
    return {label for label, yes in found.items() if yes}, {label for label, yes in found.items() if not yes}


def same_names(prompt: str, files: Files) -> Derived:
    code = module(only(files))
    return parted(prompt, lambda case: code.normalised(case) == "gpt-5")


def unread_moments(prompt: str, files: Files) -> Derived:
    code = module(only(files))
    return parted(prompt, lambda case: code.moment_of(case, 1_700_000_000.0) is None)


def credential_headers(prompt: str, files: Files) -> Derived:
    code = module(only(files))
    return parted(prompt, lambda case: code.carries_credential(*case))


def ruled_out(prompt: str, files: Files) -> Derived:
    code = module(only(files))

    def denied(case: str) -> bool:
        start = case.index("acquire")
        return bool(code.ruled_out(case, start, start + len("acquire")))

    return parted(prompt, denied)


def stems(prompt: str, files: Files) -> Derived:
    code = module(only(files))
    right = {label: code.stem_of(word) for label, word in cases(prompt).items()}
    return {f"{label} {stem}" for label, stem in right.items()}, set()


def fact_winners(prompt: str, files: Files) -> Derived:
    code = module(only(files))
    right = set()
    for label, (field, said) in cases(prompt).items():
        facts = [SimpleNamespace(field=field, source=source, value=value) for source, value in said]
        right.add(f"{label} {code.merge(facts)[1].get(field, 'absent')}")
    sources = {f"{label} {source}" for label in cases(prompt) for source in (*code.SOURCES, "absent")}
    return right, sources - right


def refusing_functions(prompt: str, files: Files) -> Derived:
    functions = dict(_functions(ast.parse(only(files))))
    raising = {name for name, node in functions.items() if any(_raises(node, "BadSetting"))}
    return raising, set(functions) - raising


def faults_of_502(prompt: str, files: Files) -> Derived:
    code = module(only(files))
    faults = {name: one for name, one in vars(code).items() if isinstance(one, type) and issubclass(one, code.Fault)}
    of_502 = {name for name, one in faults.items() if one("words").status == 502}
    return of_502, set(faults) - of_502


def bell_ringers(prompt: str, files: Files) -> Derived:
    """Functions that call `ring`, themselves or through others of the file."""
    functions = dict(_functions(ast.parse(only(files))))
    calls = {name: set(_called(node)) for name, node in functions.items()}
    ringing = {name for name, called in calls.items() if "ring" in called}
    while more := {name for name, called in calls.items() if called & ringing} - ringing:
        ringing |= more
    public = {name for name in functions if not name.startswith("_")}
    return ringing & public, public - ringing


def adapted_writers(prompt: str, files: Files) -> Derived:
    """Methods of Windows that assign to an entry of `self._adapted`, or empty it."""
    tree = ast.parse(only(files))
    (windows,) = [one for one in tree.body if isinstance(one, ast.ClassDef) and one.name == "Windows"]
    methods = {name: node for name, node in _functions(windows) if name != "__init__"}
    writing = {name for name, node in methods.items() if _writes(node, "_adapted")}
    return writing, set(methods) - writing


def broken_budgets(prompt: str, files: Files) -> Derived:
    """Functions whose result is other than their own words say."""
    code = module(only(files))
    budget = code.Budget("money", "month", 2_500_000_000)
    does = {
        "words": budget.words == "2.50 USD a month",
        "read_budget": isinstance(code.read_budget({"unit": "requests", "period": "day", "amount": 0}), str),
        "write_budget": code.write_budget(budget) == {"unit": "money", "period": "month", "amount": Decimal("2.5")},
        "tell_amount": code.tell_amount("requests", 1_000) == "1,000 requests",
        "period_start": code.period_start("month", date(2026, 3, 31)) == date(2026, 3, 1),
        "period_end": code.period_end("month", date(2026, 1, 1)) == date(2026, 2, 1),
        "_read_dollars": code._read_dollars(0.3) == 300_000_000,
    }
    assert set(does) == {name for name, _ in _functions(ast.parse(only(files)))}
    return {name for name, right in does.items() if not right}, {name for name, right in does.items() if right}


def unlocked_methods(prompt: str, files: Files) -> Derived:
    """Exported methods with a line that touches the map, or calls what expects the lock, while it is not held."""
    found: dict[str, bool] = {}
    for name, body in re.findall(r"^func \(t \*Table\) (\w+)\(.*?\{\n(.*?)^\}", only(files), re.M | re.S):
        held = False
        for line in body.splitlines():
            if re.search(r"^\s*t\.mu\.R?Lock\(\)", line):
                held = True
            elif re.search(r"^\s*t\.mu\.R?Unlock\(\)", line):  # a deferred one ends nothing yet
                held = False
            elif re.search(r"t\.held|t\.open\(", line) and not held:
                found[name] = True
        found.setdefault(name, False)
    exported = {name: bad for name, bad in found.items() if name[0].isupper()}
    return {name for name, bad in exported.items() if bad}, {name for name, bad in exported.items() if not bad}


def preventing_listeners(prompt: str, files: Files) -> Derived:
    """`file event` of listeners whose own body keeps the browser from doing what it would."""
    found: dict[str, bool] = {}
    for name, text in files.items():
        starts = [*re.finditer(r"addEventListener\(\"([\w:]+)\"", text)]
        for start, end in zip(starts, [*(one.start() for one in starts[1:]), len(text)], strict=True):
            where = f"{name} {start[1]}"
            found[where] = found.get(where, False) or "preventDefault()" in text[start.start() : end]
    return {name for name, yes in found.items() if yes}, {name for name, yes in found.items() if not yes}


DERIVED: dict[str, Callable[[str, Files], Derived]] = {
    "starter-trace-names": same_names,
    "starter-trace-moments": unread_moments,
    "starter-trace-headers": credential_headers,
    "starter-trace-negation": ruled_out,
    "starter-trace-stems": stems,
    "starter-trace-facts": fact_winners,
    "starter-list-refusals": refusing_functions,
    "starter-list-faults": faults_of_502,
    "starter-list-bells": bell_ringers,
    "starter-list-adapted": adapted_writers,
    "starter-list-listeners": preventing_listeners,
    "starter-holes-budgets": broken_budgets,
    "starter-holes-leases": unlocked_methods,
}


def _functions(tree: ast.AST) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Those of the module or class, and of the classes in it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node)


def _raises(node: ast.AST, name: str) -> Iterator[bool]:
    for one in ast.walk(node):
        if isinstance(one, ast.Raise) and isinstance(one.exc, ast.Call):
            yield isinstance(one.exc.func, ast.Name) and one.exc.func.id == name


def _called(node: ast.AST) -> Iterable[str]:
    return (one.func.id for one in ast.walk(node) if isinstance(one, ast.Call) and isinstance(one.func, ast.Name))


def _writes(node: ast.AST, name: str) -> bool:
    for one in ast.walk(node):
        targets = one.targets if isinstance(one, ast.Assign) else []
        if any(isinstance(place, ast.Subscript) and _is_own(place.value, name) for place in targets):
            return True
        called = one.func if isinstance(one, ast.Call) else None
        if isinstance(called, ast.Attribute) and called.attr == "clear" and _is_own(called.value, name):
            return True
    return False


def _is_own(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name
