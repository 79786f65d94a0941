"""Where Python code can be changed: libcst finds the places, the change is an edit of text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from typing import Final

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from suite.seeding.python_calls import CallSites
from suite.seeding.site import KINDS, Part, Site

_COMPARE: Final[dict[type[cst.BaseCompOp], str]] = {
    cst.LessThan: "<=",
    cst.LessThanEqual: "<",
    cst.GreaterThan: ">=",
    cst.GreaterThanEqual: ">",
    cst.Equal: "!=",
    cst.NotEqual: "==",
}
_AUGMENTED: Final[dict[type[cst.BaseAugOp], str]] = {
    cst.AddAssign: "-=",
    cst.SubtractAssign: "+=",
    cst.MultiplyAssign: "/=",
}
_ENDS: Final = (cst.Return, cst.Raise, cst.Break, cst.Continue)
_LARGEST: Final = 2
_NOT: Final = re.compile(r"not[ \t]*(?=[^\s\\])")


class Python:
    """See suite.seeding.site.Language."""

    name = "python"
    endings: tuple[str, ...] = (".py",)
    kinds: tuple[str, ...] = KINDS

    def parts(self, source: str) -> Sequence[Part]:
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError):
            return []
        return sorted(
            (
                Part(node.name, min([node.lineno, *(one.lineno for one in node.decorator_list)]), node.end_lineno or 0)
                for node in ast.walk(tree)
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            ),
            key=lambda part: part.first,
        )

    def sites(self, source: str, kinds: Iterable[str]) -> Sequence[Site]:
        try:
            wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
            finder = _Finder(frozenset(kinds), source)
            wrapper.visit(finder)
        except (cst.ParserSyntaxError, RecursionError, UnicodeError):
            return []
        return sorted(set(finder.found))

    def same(self, one: str, other: str) -> bool:
        try:
            return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
        except (SyntaxError, ValueError, RecursionError):
            return True


class _Finder(CallSites):
    """Walks a module once. What is under a main guard, and what can never be reached, is passed over."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def visit_If(self, node: cst.If) -> bool | None:
        if _is_main_guard(node.test):
            return False
        self._take_not(node.test)
        return None

    def visit_While(self, node: cst.While) -> None:
        self._take_not(node.test)

    def visit_IndentedBlock(self, node: cst.IndentedBlock) -> bool:
        self._visit_block(node.body)
        return False

    def visit_Module(self, node: cst.Module) -> bool:
        self._visit_block(node.body)
        return False

    def _visit_block(self, body: Sequence[cst.BaseStatement]) -> None:
        for statement in body:
            self._take_statement(statement, alone=len(body) == 1)
            statement.visit(self)
            if isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[-1], _ENDS):
                return  # the rest is never reached

    def visit_Comparison(self, node: cst.Comparison) -> None:
        for target in node.comparisons:
            if (new := _COMPARE.get(type(target.operator))) is not None:
                self.take("compare", self.place(target.operator), new)

    def visit_BooleanOperation(self, node: cst.BooleanOperation) -> None:
        self.take("boolop", self.place(node.operator), "or" if isinstance(node.operator, cst.And) else "and")

    def visit_Return(self, node: cst.Return) -> None:
        value = node.value
        if isinstance(value, cst.Name) and value.value in ("True", "False"):
            self.take("return-bool", self.place(value), "False" if value.value == "True" else "True")

    def visit_Break(self, node: cst.Break) -> None:
        self.take("break-continue", self.place(node), "continue")

    def visit_Continue(self, node: cst.Continue) -> None:
        self.take("break-continue", self.place(node), "break")

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        whole, new = self.place(node), _AUGMENTED.get(type(node.operator))
        if new is not None and whole.start.line == whole.end.line:
            self.take("augassign", self.place(node.operator), new)

    def visit_Param(self, node: cst.Param) -> bool:
        return False  # defaults and annotations

    def visit_FormattedString(self, node: cst.FormattedString) -> bool:
        return False

    def visit_UnaryOperation(self, node: cst.UnaryOperation) -> bool | None:
        if isinstance(node.operator, cst.Minus | cst.Plus) and isinstance(node.expression, cst.Integer):
            self._take_number(node, node.expression, -1 if isinstance(node.operator, cst.Minus) else 1)
            return False
        return None

    def visit_Integer(self, node: cst.Integer) -> None:
        self._take_number(node, node, 1)

    def _take_number(self, whole: cst.CSTNode, digits: cst.Integer, sign: int) -> None:
        value = sign * digits.evaluated_value
        if abs(value) > _LARGEST:
            return
        for new in sorted({value + 1, value - 1, 0} - {value}):
            self.take("number", self.place(whole), str(new))

    def _take_not(self, test: cst.BaseExpression) -> None:
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not) and not test.lpar:
            start = self.place(test).start
            word = _NOT.match(self._lines[start.line - 1], start.column)
            if word is not None and "not" in self.kinds:
                self.found.append(Site(start.line, start.column, word.end(), "not", ""))


def _is_main_guard(test: cst.BaseExpression) -> bool:
    return isinstance(test, cst.Comparison) and isinstance(test.left, cst.Name) and test.left.value == "__name__"
