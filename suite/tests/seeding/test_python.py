"""Where Python code is changed and where it is not, by the acceptance vectors and by what each kind leaves alone."""

from __future__ import annotations

import ast
from itertools import islice
from random import Random

import pytest

from suite.seeding.draft import draft_pair
from suite.seeding.pick import Choice, choose
from suite.seeding.python import Python
from suite.seeding.site import KINDS, TOKEN_KINDS, plant
from suite.seeding.sources import NoSource, Source, package_root, read_sources

PYTHON = Python()


def changes(line: str, kind: str) -> list[str]:
    """What becomes of one line in a function, by this kind of change."""
    source = f"def f(x, y, n, s):\n    for i in x:\n        z = 1_000\n        {line}\n"
    sites = [site for site in PYTHON.sites(source, [kind]) if site.line == 4]
    planted = [plant(source, site, PYTHON) for site in sites]
    return sorted(one.after.strip() for one in planted if one is not None)


@pytest.mark.parametrize(
    ("kind", "line", "become"),
    [
        ("compare", "a = x < y", ["a = x <= y"]),
        ("compare", "a = x <= y < n", ["a = x < y < n", "a = x <= y <= n"]),
        ("compare", "a = x == y", ["a = x != y"]),
        ("compare", "a = x is y", []),
        ("boolop", "a = x and y", ["a = x or y"]),
        ("return-bool", "return True", ["return False"]),
        ("return-bool", "return f(True)", []),
        ("not", "if not  x: pass", ["if x: pass"]),
        ("not", "while not (x and y): pass", ["while (x and y): pass"]),
        ("not", "a = not x", []),
        ("number", "a = y + 1", ["a = y + 0", "a = y + 2"]),
        ("number", "a = y * -1", ["a = y * -2", "a = y * 0"]),
        ("number", "a = 3", []),
        ("number", "a = f(k=1)", []),
        ("number", "a = f'{1}'", []),
        ("number", "a = round(y, 2)", []),
        ("args", "a = f(x, y)", ["a = f(y, x)"]),
        ("args", "a = f(x, x)", []),
        ("args", "a = f(*x, y)", []),
        ("args", "a = f(x, y=y)", []),
        ("args", "a = max(x, y)", []),
        ("args", "a = math.gcd(x, y)", []),
        ("off-by-one", "a = range(n)", ["a = range(1, n)", "a = range(n - 1)"]),
        ("off-by-one", "a = range(len(x))", ["a = range(1, len(x))", "a = range(len(x) - 1)"]),
        ("off-by-one", "a = range(3)", ["a = range(1, 3)", "a = range(2)"]),
        ("off-by-one", "a = range(0, n)", []),
        ("off-by-one", "a = x[1:]", ["a = x[2:]"]),
        ("off-by-one", "a = x[:2]", ["a = x[:1]"]),
        ("off-by-one", "a = x[n:]", ["a = x[n + 1:]"]),
        ("off-by-one", "a = s[:+1]", ["a = s[:0]"]),
        ("off-by-one", "a = s[-2:]", ["a = s[-1:]"]),
        ("off-by-one", "a = x[1:2]", []),
        ("off-by-one", "a = x[::2]", []),
        ("off-by-one", "a = x[n if y else 1:]", []),
        ("break-continue", "break", ["continue"]),
        ("break-continue", "continue", ["break"]),
        ("remove-call", "x.close()", [""]),
        ("remove-call", "log.warning(x)", []),
        ("remove-call", "print(x)", []),
        ("remove-call", "a = f(x)", []),
        ("augassign", "n += 1", ["n -= 1"]),
        ("augassign", "n *= y", ["n /= y"]),
        ("augassign", "n -= y", ["n += y"]),
        ("augassign", "n //= y", []),
    ],
)
def test_each_kind(kind: str, line: str, become: list[str]) -> None:
    assert changes(line, kind) == become


def test_a_call_that_is_alone_in_its_block_becomes_pass() -> None:
    source = "def f(x):\n    if x:\n        x.close()\n    return x\n"
    (site,) = PYTHON.sites(source, ["remove-call"])
    planted = plant(source, site, PYTHON)
    assert planted is not None
    assert (planted.after.strip(), planted.lines) == ("pass", (3,))


def test_a_line_that_is_gone_may_be_pointed_at_from_both_sides_and_never_outside() -> None:
    source = "def f(x):\n    x.close()\n    return x\n"
    planted = plant(source, PYTHON.sites(source, ["remove-call"])[0], PYTHON)
    assert planted is not None
    assert planted.lines == (1, 2)
    last = plant("a = 1\nb()\n", PYTHON.sites("a = 1\nb()\n", ["remove-call"])[0], PYTHON)
    assert last is not None
    assert last.lines == (1,)


@pytest.mark.parametrize(
    "source",
    [
        'if __name__ == "__main__":\n    f(1, 2)\n    x = a < b\n',
        "def f(a, b):\n    return a\n    x = a < b\n",
        "def f(a, b):\n    raise a\n    f(a, b)\n",
        "for i in x:\n    raise i\n    i += 1\n",
        "def f(a=1, b=2):\n    pass\n",
        "x = [\n",
    ],
)
def test_nothing_is_changed_where_it_would_not_matter(source: str) -> None:
    assert PYTHON.sites(source, KINDS) == []


def test_a_call_over_several_lines_is_left_alone() -> None:
    assert PYTHON.sites("f(\n    a,\n    b,\n)\n", ["args", "remove-call"]) == []


def test_the_same_seed_draws_the_same_and_used_parts_are_passed_over() -> None:
    sources = list(islice(read_sources(package_root("json"), (".py",), prefix="json/"), 10))
    first = drawn(sources, 3)
    assert first == drawn(sources, 3)
    used = [f"{choice.source.name}::{choice.part.name}" for choice in first]
    assert not {f"{one.source.name}::{one.part.name}" for one in drawn(sources, 3, used)} & set(used)


def drawn(sources: list[Source], seed: int, used: list[str] | None = None) -> list[Choice]:
    return list(choose(sources, PYTHON, TOKEN_KINDS, Random(seed), hard=False, used=used or []))


@pytest.mark.parametrize("hard", [False, True], ids=["functions", "files"])
def test_pairs_from_an_installed_package_parse_differ_and_give_nothing_away(hard: bool) -> None:
    kinds = KINDS if hard else TOKEN_KINDS
    sources = read_sources(package_root("msgspec" if not hard else "email"), (".py",), prefix="p/")
    choices = list(islice(choose(sources, PYTHON, kinds, Random(1), hard=hard), 8))
    assert len(choices) >= (3 if not hard else 8)
    prompts = set()
    for choice in choices:
        ast.parse(choice.planted.source)
        bug, control = draft_pair(choice, kinds, language="python", hard=hard)
        prompts |= {bug.prompt, control.prompt}
        assert bug.attachments[0]["name"] == control.attachments[0]["name"]
        assert bug.attachments != control.attachments
        assert (bug.pair, control.pair) == (control.slug, bug.slug)
        shown = {int(line.partition("|")[0]) for line in bug.attachments[0]["text"].splitlines()}
        assert set(bug.key["lines"]) <= shown
        assert bug.key["lines"]
    assert len(prompts) == 1


def test_a_package_that_is_not_there_is_named() -> None:
    with pytest.raises(NoSource, match="no_such_package"):
        package_root("no_such_package")
