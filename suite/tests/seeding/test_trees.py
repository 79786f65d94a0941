"""Where JavaScript, TypeScript and Go are changed, by one interface."""

from __future__ import annotations

import pytest

from suite.seeding.languages import LANGUAGES, language
from suite.seeding.site import KINDS, Language, plant

JAVASCRIPT = """import x from "y";
function f(a, b) {
  let total = 7;
  for (let i = 9; i < a.length; i++) {
    if (!b && a[i] === 8) continue;
    if (!b) { break; }
    total += a[i];
    send(a, b);
    console.log(a);
  }
  return true;
  send(b, a);
}
"""
GO = """package p

func F(a []int, b bool) bool {
	total := 7
	for i := 9; i < len(a); i++ {
		if !b && a[i] == 8 {
			continue
		}
		if !b {
			break
		}
		total += a[i]
		send(a, b)
		fmt.Println(a)
	}
	return true
}
"""
SOURCES = {
    "javascript": JAVASCRIPT,
    "typescript": JAVASCRIPT.replace("(a, b)", "(a: number[], b: boolean)", 1),
    "go": GO,
}
BECOME = {
    ("compare", "<="),
    ("compare", "!=="),
    ("compare", "!="),
    ("boolop", "||"),
    ("break-continue", "break"),
    ("break-continue", "continue"),
    ("not", ""),
    ("augassign", "-="),
    ("remove-call", ""),
    ("args", "b, a"),
    ("return-bool", "false"),
}


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_every_kind_is_found_once_and_nothing_else(name: str) -> None:
    found: Language = language(name)
    sites = found.sites(SOURCES[name], KINDS)
    wanted = BECOME - ({("compare", "!=")} if name != "go" else {("compare", "!==")})
    assert {(site.kind, site.new) for site in sites} == wanted
    assert all(plant(SOURCES[name], site, found) is not None for site in sites)
    assert not any(site.line == 12 for site in sites if name != "go"), "nothing after a return is reached"


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_functions_are_named_with_their_lines(name: str) -> None:
    (part,) = language(name).parts(SOURCES[name])
    assert (part.name.lower(), part.length) == ("f", 12 if name != "go" else 15)


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_what_is_not_the_language_has_no_places(name: str) -> None:
    assert language(name).sites("func ( {", KINDS) == []
    assert language(name).parts("func ( {") == []


def test_small_numbers_change_and_columns_count_characters_not_bytes() -> None:
    source = 'function f() {\n  const s = "äöü"; let n = 1;\n  return n;\n}\n'
    found = language("javascript")
    planted = [plant(source, site, found) for site in found.sites(source, ["number"])]
    assert sorted(one.after for one in planted if one) == [
        '  const s = "äöü"; let n = 0;',
        '  const s = "äöü"; let n = 2;',
    ]


def test_a_change_that_would_not_parse_or_is_none_is_refused() -> None:
    found = language("go")
    assert found.same(GO, GO.replace("return true", "return true // yes"))
    assert found.same(GO, GO.replace("return true", "return ("))
    assert not found.same(GO, GO.replace("return true", "return false"))


def test_every_language_can_be_loaded() -> None:
    assert [language(name).name for name in LANGUAGES] == list(LANGUAGES)
