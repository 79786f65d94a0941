"""Where JavaScript, TypeScript and Go can be changed: tree-sitter finds the places, the change is an edit of text.

The kinds and what they leave alone are those of Python, as far as a language has the thing at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, ClassVar, Final

import tree_sitter_go
import tree_sitter_javascript
import tree_sitter_typescript
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser

from suite.seeding.site import KINDS, Part, Site

_COMPARE: Final = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "===": "!==",
    "!==": "===",
}
_BOOLEAN: Final = {"&&": "||", "||": "&&"}
_AUGMENTED: Final = {"+=": "-=", "-=": "+=", "*=": "/="}
_SPOKEN: Final = (
    *("print", "println", "printf", "log", "debug", "info", "warn", "warning", "error", "write", "sleep", "errorf"),
)
_SYMMETRIC: Final = frozenset({"max", "min", "hypot"})
_ENDS: Final = frozenset(
    {"return_statement", "throw_statement", "break_statement", "continue_statement", "goto_statement"}
)
_LARGEST: Final = 2
_GRAMMARS: Final[dict[str, Callable[[], Any]]] = {
    "javascript": tree_sitter_javascript.language,
    "typescript": tree_sitter_typescript.language_typescript,
    "go": tree_sitter_go.language,
}


class _Tree:
    """See suite.seeding.site.Language. What a subclass says is names of nodes in its grammar."""

    name: str
    endings: tuple[str, ...]
    kinds: tuple[str, ...] = tuple(kind for kind in KINDS if kind != "off-by-one")
    functions: ClassVar[frozenset[str]]
    numbers: ClassVar[frozenset[str]]
    blocks: ClassVar[frozenset[str]] = frozenset({"statement_block", "block", "program", "source_file"})
    passed_over: ClassVar[frozenset[str]] = frozenset({"template_string", "import_statement", "import_declaration"})

    def parts(self, source: str) -> Sequence[Part]:
        root = self._parse(source)
        if root is None:
            return []
        found = []
        for node in _walk(root):
            name = node.child_by_field_name("name")
            if node.type in self.functions and name is not None:
                found.append(Part(_text(name), node.start_point[0] + 1, node.end_point[0] + 1))
        return sorted(found, key=lambda part: part.first)

    def sites(self, source: str, kinds: Iterable[str]) -> Sequence[Site]:
        root = self._parse(source)
        if root is None:
            return []
        wanted, lines = frozenset(kinds), source.encode().split(b"\n")
        found = [site for site in self._found(root, lines) if site.kind in wanted]
        return sorted(set(found))

    def same(self, one: str, other: str) -> bool:
        changed = self._parse(other)
        before = self._parse(one)
        return changed is None or before is None or _leaves(before) == _leaves(changed)

    def _parse(self, source: str) -> Node | None:
        """The tree; None where any of it is not the language."""
        root = _parser(self.name).parse(source.encode()).root_node
        return None if root.has_error else root

    def _found(self, root: Node, lines: list[bytes]) -> Iterator[Site]:
        for node in self._reached(root):
            yield from _operators(node, lines)
            yield from self._flow(node, lines)
            if node.type in ("arguments", "argument_list"):
                yield from _swaps(node, lines)
            if node.type in self.numbers:
                yield from _number(node, lines)

    def _flow(self, node: Node, lines: list[bytes]) -> Iterator[Site]:
        if node.type in ("break_statement", "continue_statement") and node.named_child_count == 0:
            word = node.child(0)
            if word is not None:
                other = "continue" if _text(word) == "break" else "break"
                yield _site(word, "break-continue", other, lines)
        if node.type == "return_statement":
            values = [child for child in _flat(node) if child.type in ("true", "false")]
            if len(values) == 1 and node.named_child_count == 1:
                yield _site(values[0], "return-bool", "false" if _text(values[0]) == "true" else "true", lines)
        if node.type == "expression_statement":
            yield from _removal(node, lines)

    def _reached(self, root: Node) -> Iterator[Node]:
        """Every node but those that can never be reached."""
        waiting = [root]
        while waiting:
            node = waiting.pop()
            if node.type in self.passed_over:
                continue
            yield node
            children = list(node.children)
            if node.type in self.blocks or node.type == "statement_list":
                for number, child in enumerate(children):
                    if child.type in _ENDS:
                        children = children[: number + 1]
                        break
            waiting += children


class JavaScript(_Tree):
    name = "javascript"
    endings: tuple[str, ...] = (".js", ".mjs", ".cjs", ".jsx")
    functions = frozenset({"function_declaration", "generator_function_declaration", "method_definition"})
    numbers = frozenset({"number"})


class TypeScript(JavaScript):
    name = "typescript"
    endings: tuple[str, ...] = (".ts", ".mts", ".cts")
    passed_over = _Tree.passed_over | {
        *("type_annotation", "interface_declaration", "type_alias_declaration", "enum_body"),
    }


class Go(_Tree):
    name = "go"
    endings: tuple[str, ...] = (".go",)
    functions = frozenset({"function_declaration", "method_declaration"})
    numbers = frozenset({"int_literal"})


@lru_cache(maxsize=8)
def _parser(name: str) -> Parser:
    return Parser(Grammar(_GRAMMARS[name]()))


def _operators(node: Node, lines: list[bytes]) -> Iterator[Site]:
    operator = node.child_by_field_name("operator")
    if node.type == "binary_expression" and operator is not None:
        word = _text(operator)
        if (new := _COMPARE.get(word)) is not None:
            yield _site(operator, "compare", new, lines)
        if (new := _BOOLEAN.get(word)) is not None:
            yield _site(operator, "boolop", new, lines)
    if node.type in ("augmented_assignment_expression", "assignment_statement") and operator is not None:
        one_line = node.start_point[0] == node.end_point[0]
        if one_line and (new := _AUGMENTED.get(_text(operator))) is not None:
            yield _site(operator, "augassign", new, lines)
    if node.type in ("if_statement", "while_statement"):
        test = node.child_by_field_name("condition")
        if test is not None and test.type == "parenthesized_expression":
            test = test.named_child(0)
        bang = test.child(0) if test is not None and test.type == "unary_expression" else None
        if bang is not None and _text(bang) == "!":
            yield _site(bang, "not", "", lines)


def _swaps(node: Node, lines: list[bytes]) -> Iterator[Site]:
    call = node.parent
    name = call.child_by_field_name("function") if call is not None else None
    if name is not None and _text(name).rpartition(".")[2].lower() in _SYMMETRIC:
        return
    args = node.named_children
    for one, other in pairwise(args):
        loose = {"spread_element", "comment", "variadic_argument"} & {one.type, other.type}
        line = one.start_point[0]
        if loose or line != other.end_point[0] or _text(one) == _text(other):
            continue
        between = lines[line][one.end_point[1] : other.start_point[1]].decode()
        start, end = _column(lines[line], one.start_point[1]), _column(lines[line], other.end_point[1])
        yield Site(line + 1, start, end, "args", f"{_text(other)}{between}{_text(one)}")


def _number(node: Node, lines: list[bytes]) -> Iterator[Site]:
    text = _text(node)
    if not text.isdecimal() or len(text) > 18 or int(text) > _LARGEST:
        return
    value = int(text)
    # A minus before it belongs to what stands around: only what stays a plain number is written.
    for new in sorted({value + 1, value - 1, 0} - {value}):
        if new >= 0:
            yield _site(node, "number", str(new), lines)


def _removal(node: Node, lines: list[bytes]) -> Iterator[Site]:
    """A call that is a statement of its own on a line of its own, in a block with others."""
    calls = [child for child in node.named_children if child.type == "call_expression"]
    if len(calls) != 1 or node.start_point[0] != node.end_point[0]:
        return
    (call,) = calls
    name = call.child_by_field_name("function")
    if name is None or _text(name).rpartition(".")[2].lower().endswith(_SPOKEN):
        return
    line = lines[node.start_point[0]].decode()
    if line.strip().rstrip(";") != _text(node).rstrip(";"):
        return
    block = node.parent
    if block is None or block.named_child_count < 2:
        return
    yield Site(node.start_point[0] + 1, 0, len(line), "remove-call", "", deletes=True)


def _site(node: Node, kind: str, new: str, lines: list[bytes]) -> Site:
    row = node.start_point[0]
    start, end = _column(lines[row], node.start_point[1]), _column(lines[row], node.end_point[1])
    return Site(row + 1, start, end, kind, new)


def _column(line: bytes, offset: int) -> int:
    """Characters before this byte."""
    return len(line[:offset].decode(errors="replace"))


def _text(node: Node) -> str:
    return "" if node.text is None else node.text.decode(errors="replace")


def _walk(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.children


def _flat(node: Node) -> Iterator[Node]:
    """The nodes that stand for the value of a return: itself, or the only one in its list."""
    for child in node.named_children:
        yield from child.named_children if child.type == "expression_list" else (child,)


def _leaves(root: Node) -> list[tuple[str, bytes]]:
    return [(node.type, node.text or b"") for node in _walk(root) if not node.children and node.type != "comment"]
