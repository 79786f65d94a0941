"""Places for changes in calls and slices of Python code."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import libcst as cst
from libcst.metadata import CodeRange, PositionProvider

from suite.seeding.site import Site

_SYMMETRIC: Final = frozenset({"max", "min", "gcd", "lcm", "hypot"})
_SPOKEN: Final = (
    *("print", "echo", "write", "log", "debug", "info", "warn", "warning", "error", "exception", "critical", "sleep"),
)
_LOOSE: Final = (cst.IfExp, cst.Lambda, cst.BooleanOperation, cst.Comparison, cst.NamedExpr)


class CallSites(cst.CSTVisitor):
    """What its subclass shares: the kinds that are wanted, what was found, and where things stand."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, kinds: frozenset[str], source: str) -> None:
        super().__init__()
        self.kinds = kinds
        self.found: list[Site] = []
        self._lines = source.splitlines()

    def place(self, node: cst.CSTNode) -> CodeRange:
        found = self.get_metadata(PositionProvider, node)
        assert isinstance(found, CodeRange)  # noqa: S101 it is one for every node of code
        return found

    def text(self, node: cst.CSTNode) -> str:
        """What stands there, where that is on one line; else empty."""
        place = self.place(node)
        if place.start.line != place.end.line:
            return ""
        return self._lines[place.start.line - 1][place.start.column : place.end.column]

    def take(self, kind: str, place: CodeRange, new: str) -> None:
        """A site, if the kind is wanted and it stands on one line."""
        if kind in self.kinds and place.start.line == place.end.line:
            self.found.append(Site(place.start.line, place.start.column, place.end.column, kind, new))

    def visit_Call(self, node: cst.Call) -> bool:
        name = _name_of(node.func)
        self._take_swaps(name, node.args)
        if name == "range":
            self._take_range(node)
        node.func.visit(self)
        for number, arg in enumerate(node.args):
            if arg.keyword is None and not (name == "round" and number == 1):
                arg.value.visit(self)
        return False

    def _take_swaps(self, name: str, args: Sequence[cst.Arg]) -> None:
        if name in _SYMMETRIC:
            return
        for one, other in pairwise(args):
            if one.keyword or other.keyword or one.star or other.star:
                continue
            first, second = self.place(one.value), self.place(other.value)
            texts = (self.text(one.value), self.text(other.value))
            if first.start.line != second.end.line or not all(texts) or texts[0] == texts[1]:
                continue
            line = self._lines[first.start.line - 1]
            between = line[first.end.column : second.start.column]
            if "args" in self.kinds:
                new = f"{texts[1]}{between}{texts[0]}"
                self.found.append(Site(first.start.line, first.start.column, second.end.column, "args", new))

    def _take_range(self, node: cst.Call) -> None:
        if len(node.args) != 1 or node.args[0].keyword or node.args[0].star:
            return
        value = node.args[0].value
        shifted, text = self._shifted(value, -1), self.text(value)
        if shifted:
            self.take("off-by-one", self.place(value), shifted)
            self.take("off-by-one", self.place(value), f"1, {text}")

    def visit_Slice(self, node: cst.Slice) -> None:
        if node.step is not None or (node.lower is None) == (node.upper is None):
            return
        bound, by = (node.lower, 1) if node.lower is not None else (node.upper, -1)
        if bound is not None and (shifted := self._shifted(bound, by)):
            self.take("off-by-one", self.place(bound), shifted)

    def _shifted(self, value: cst.BaseExpression, by: int) -> str:
        """The expression one more or one less; a number is computed. Empty for what binds too loosely."""
        number = _number(value)
        if number is not None:
            return str(number + by)
        text = self.text(value)
        if not text or (isinstance(value, _LOOSE) and not value.lpar):
            return ""
        return f"{text} {'+' if by > 0 else '-'} 1"

    def _take_statement(self, statement: cst.BaseStatement, *, alone: bool) -> None:
        """A call that is a statement of its own may go."""
        if "remove-call" not in self.kinds or not isinstance(statement, cst.SimpleStatementLine):
            return
        if len(statement.body) != 1 or not isinstance(statement.body[0], cst.Expr):
            return
        call = statement.body[0].value
        if not isinstance(call, cst.Call) or _name_of(call.func).lower().endswith(_SPOKEN):
            return
        place = self.place(call)
        if place.start.line != place.end.line:
            return
        if alone:
            self.take("remove-call", place, "pass")
        else:
            line = self._lines[place.start.line - 1]
            self.found.append(Site(place.start.line, 0, len(line), "remove-call", "", deletes=True))


def _name_of(func: cst.BaseExpression) -> str:
    if isinstance(func, cst.Name):
        return func.value
    return func.attr.value if isinstance(func, cst.Attribute) else ""


def _number(value: cst.BaseExpression) -> int | None:
    if isinstance(value, cst.Integer):
        return value.evaluated_value
    if isinstance(value, cst.UnaryOperation) and isinstance(value.expression, cst.Integer):
        if isinstance(value.operator, cst.Minus):
            return -value.expression.evaluated_value
        if isinstance(value.operator, cst.Plus):
            return value.expression.evaluated_value
    return None
