"""What is true of a function by its form: short sentences that code reads off it, its name and its parameters' names
left out. Pure. A description is some of them; it fits every function of which all of them are true.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

Def = ast.FunctionDef | ast.AsyncFunctionDef
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_CLOSED: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COUNTED: Final = (
    ((ast.For, ast.AsyncFor), "for loop"),  # comprehensions are none
    ((ast.While,), "while loop"),
    ((ast.With, ast.AsyncWith), "with block"),
    ((ast.Try, ast.TryStar), "try block"),
)


class Found(Struct, frozen=True):
    """A function: `name`, its lines from 1 in `file`, decorators included, `form` with the facts that always belong in
    a description, and `calls` with the names of what it calls, as facts; never its own."""

    file: str
    name: str
    first: int
    last: int
    form: tuple[str, ...]
    calls: frozenset[str]

    @property
    def bare(self) -> str:
        """The name as answers are compared: lower case, without underscores around it."""
        return self.name.strip("_").lower()

    @property
    def facts(self) -> frozenset[str]:
        return self.calls.union(self.form)


def functions(file: str, source: str) -> list[Found]:
    """Every function of a file in Python, methods and nested ones too; none of one that cannot be parsed."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    return list(_below(file, tree, "at the top of its module"))


def _below(file: str, node: ast.AST, place: str) -> Iterator[Found]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield _found(file, child, place)
            yield from _below(file, child, "inside another function")
        else:
            yield from _below(file, child, "in a class" if isinstance(child, ast.ClassDef) else place)


def _found(file: str, node: Def, place: str) -> Found:
    own = list(_own(node))
    bare = node.name.strip("_").lower()
    calls = frozenset(f"It calls `{name}`." for name in _called(own) if name.strip("_").lower() != bare)
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    form = (*_signature(node, own, place), *_flow(own), *_raised(own), *_returned(own))
    return Found(file, node.name, first, node.end_lineno or node.lineno, form, calls)


def _own(node: Def) -> Iterator[ast.AST]:
    """What stands in the function itself, and not in those that it defines."""
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        one = waiting.pop()
        yield one
        if not isinstance(one, _CLOSED):
            waiting.extend(ast.iter_child_nodes(one))


def _signature(node: Def, own: list[ast.AST], place: str) -> list[str]:
    given = node.args
    taken = [*given.posonlyargs, *given.args]
    bound = bool(taken) and place == "in a class" and taken[0].arg in ("self", "cls")
    count = len(taken) - bound + len(given.kwonlyargs)
    defaults = len(given.defaults) + sum(one is not None for one in given.kw_defaults)
    kind = "coroutine" if isinstance(node, ast.AsyncFunctionDef) else "function"
    if any(isinstance(one, ast.Yield | ast.YieldFrom) for one in own):
        kind = f"{kind} that yields"
    told = [
        f"It is a {kind} defined {place}.",
        f"It takes {_number(count)} named parameter{_s(count)}{', self or cls not counted' if bound else ''}.",
        f"It stands under {_number(len(node.decorator_list))} decorator{_s(len(node.decorator_list))}.",
    ]
    if count:
        few = _number(defaults).capitalize() if defaults else "None"
        told.append(f"{few} of its parameters {'has' if defaults < 2 else 'have'} a default.")
    if given.vararg:
        told.append("It takes any number of positional arguments.")
    if given.kwarg:
        told.append("It takes any keyword arguments.")
    return told


def _flow(own: list[ast.AST]) -> list[str]:
    told = []
    for kinds, words in _COUNTED:
        if count := sum(isinstance(one, kinds) for one in own):
            told.append(f"It has exactly {_number(count)} {words}{_s(count)}.")
    return told


def _raised(own: list[ast.AST]) -> list[str]:
    names = Counter(_raised_name(one) for one in own if isinstance(one, ast.Raise))
    if not names:
        return ["It has no raise statement."]
    return [f"It raises {name}." if name else "It raises again what it caught." for name in sorted(names)]


def _raised_name(node: ast.Raise) -> str:
    what = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    return _last(what) if what is not None else ""


def _returned(own: list[ast.AST]) -> list[str]:
    values = [one.value for one in own if isinstance(one, ast.Return)]
    if not values:
        return ["It has no return statement."]
    told = [f"It has exactly {_number(len(values))} return statement{_s(len(values))}."]
    told += sorted(
        {
            f"It returns a tuple of {_number(len(one.elts))}."
            for one in values
            if isinstance(one, ast.Tuple) and one.elts
        }
    )
    constants = {repr(one.value) for one in values if isinstance(one, ast.Constant)}
    told += [f"One of its returns gives {word}." for word in ("True", "False", "None") if word in constants]
    return told


def _called(own: list[ast.AST]) -> set[str]:
    return {name for one in own if isinstance(one, ast.Call) and (name := _last(one.func))}


def _last(node: ast.AST) -> str:
    """The last part of a dotted name; empty where it is no name."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _s(count: int) -> str:
    return "" if count == 1 else "s"
