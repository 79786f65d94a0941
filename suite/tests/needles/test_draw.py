"""Which functions are hidden, and how they are described."""

from __future__ import annotations

import pytest

from gateway.canon.kinds import TaskShape
from suite.keys import read_key
from suite.needles.draft import key
from suite.needles.draw import Haystack, TooLittle
from suite.needles.facts import functions
from suite.scoring import score
from suite.seeding.sources import Source, package_root, read_sources
from suite.tests.needles.given import ODD, haystack, package


def test_a_description_fits_one_function_and_no_other() -> None:
    hay = haystack()
    (needle,) = hay.needles(seed=0, count=1)
    assert needle.function.name == "reconcile_ledgers"
    assert [one.name for one in hay.functions if one.facts.issuperset(needle.description)] == ["reconcile_ledgers"]
    assert "reconcile" not in " ".join(needle.description)


def test_functions_like_all_others_are_never_hidden() -> None:
    with pytest.raises(TooLittle, match="Only 1 functions"):
        haystack().needles(seed=0, count=2)


def test_a_name_that_stands_twice_is_never_hidden() -> None:
    twice = [*package(20), Source("hay/again.py", ODD.replace("LookupError", "ValueError") + "# more\n" * 60)]
    with pytest.raises(TooLittle, match="Only 0 functions"):
        Haystack(twice).needles(seed=0, count=1)


def test_the_same_seed_hides_the_same_in_real_code_and_another_seed_others() -> None:
    sources = list(read_sources(package_root("rest_framework"), (".py",), prefix="rest_framework/"))
    first, again = (Haystack(sources).needles(seed=4, count=5) for _ in range(2))
    assert first == again
    other = Haystack(sources).needles(seed=5, count=5)
    assert [one.function for one in other] != [one.function for one in first]
    everything = [one for source in sources for one in functions(source.name, source.text)]
    for needle in first:
        assert [one for one in everything if one.facts.issuperset(needle.description)] == [needle.function]


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("_get_path", True),
        ("get_path", True),
        ("`get_path`\nIt stands in options.", True),
        ("**Options._get_path(self, model)**", True),
        ("The function is `django/db/models.py::Options.get_path`.", True),
        ("Answer: get_path", True),
        ("get_paths", False),
        ("get_path or get_field", False),
        ("It may be get_field, or else get_path", False),
        ("I cannot tell.\nget_path", False),
    ],
)
def test_the_first_line_must_be_the_name_and_nothing_else(answer: str, found: bool) -> None:
    scored = score(read_key(key("get_path", "_get_path")), TaskShape.NEEDLE, control=False, answer=answer)
    assert (scored.found, scored.of, scored.invented, scored.chance) == (int(found), 1, (), "")


def test_a_first_line_of_dots_is_read_at_once() -> None:
    scored = score(
        read_key(key("get_path", "_get_path")), TaskShape.NEEDLE, control=False, answer="a." * 20_000 + "get_field"
    )
    assert scored.found == 0
