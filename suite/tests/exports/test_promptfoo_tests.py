"""Tests of promptfoo become drafts: what maps, what does not, and what answers are worth by them."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from gateway.canon.kinds import TaskShape
from suite.exports.assertions import clauses_of
from suite.exports.promptfoo_tests import BadFile, Came, read_tests
from suite.keys import read_key
from suite.models import Task, TaskVersion
from suite.scoring import score

SAME: Callable[[str], str] = lambda text: text  # noqa: E731


@pytest.mark.parametrize(
    ("kind", "value", "good", "bad"),
    [
        ("contains", "Paris", "it is paris.", "it is rome."),
        ("icontains", "PARIS", "It is Paris.", "It is Rome."),
        ("contains-any", ["Paris", "Lyon"], "Lyon it is", "Rome it is"),
        ("contains-any", "Paris, Lyon", "Lyon it is", "Rome it is"),
        ("contains-all", ["Paris", "Seine"], "Paris on the Seine", "Paris on the Rhine"),
        ("icontains-all", "paris,seine", "Paris on the Seine", "Seine"),
        ("equals", "Paris", "**Paris**\nfor sure", "Paris it is"),
        ("equals", 42, "42", "421"),
        ("equals", "a (b)", "\nA (b)", "a b"),
        ("starts-with", "Yes", "Yes, it does", "Oh yes"),
        ("regex", r"^\d{4}-\d\d$", "2026-01", "2026-1"),
        ("regex", r"Line (?<n>[A-C]+)", "line B", "line D"),
        ("not-contains", "sorry", "Paris", "So sorry"),
        ("not-icontains-any", ["sorry", "cannot help"], "Paris", "I am sorry"),
        ("not-regex", r"\bRome\b", "Paris", "Rome"),
        ("not-equals", "Rome", "Rome?", "Rome"),
        ("not-starts-with", "As an", "Paris", "As an answer"),
    ],
)
def test_an_assertion_is_a_clause_that_tells_good_from_bad(kind: str, value: Any, good: str, bad: str) -> None:
    clauses = clauses_of([{"type": kind, "value": value}], {}, SAME)
    assert clauses.left == []
    key = read_key({"must_find": clauses.find, "must_not_claim": clauses.avoid, "min_answer_chars": 1})

    def passes(answer: str) -> bool:
        came = score(key, TaskShape.FINDING, control=False, answer=answer)
        return came.found == came.of and not came.invented

    assert passes(good)
    assert not passes(bad)


@pytest.mark.parametrize(
    ("assertion", "why"),
    [
        ({"type": "llm-rubric", "value": "is polite"}, "llm-rubric"),
        ({"type": "javascript", "value": "output.length"}, "javascript"),
        ({"type": "not-contains-all", "value": ["a", "b"]}, "not-contains-all"),
        ({"type": "contains", "value": "file://x.txt"}, "contains with a value in a file"),
        ({"type": "contains", "value": ["a"]}, "contains with a value that is no text"),
        ({"type": "contains"}, "contains with a value that is no text"),
        ({"type": "contains", "value": " "}, "contains without a value"),
        ({"type": "contains", "value": "a", "transform": "output.x"}, "contains with a transform"),
        ({"type": "contains", "value": "a", "weight": 0}, "contains with weight 0"),
        ({"type": "regex", "value": "(a"}, "regex (a, which cannot be read here"),
        ({"type": "assert-set", "threshold": 0.5, "assert": []}, "assert-set with a threshold"),
        ({"$ref": "#/assertionTemplates/gone"}, "there is no template gone"),
        ({"value": "a"}, "an assertion without a type"),
        ("contains", "an assertion without a type"),
    ],
)
def test_what_has_no_counterpart_is_told(assertion: Any, why: str) -> None:
    clauses = clauses_of([assertion], {}, SAME)
    assert (clauses.find, clauses.avoid) == ([], [])
    assert clauses.left[0].startswith(why)


def test_sets_and_templates_are_what_they_hold_and_variables_are_filled_in() -> None:
    templates = {"polite": {"type": "not-contains", "value": "{{rude}}"}}
    inner = [{"type": "contains", "value": "A"}, {"type": "similar", "value": "b"}]
    given = [{"type": "assert-set", "assert": inner}, {"$ref": "#/assertionTemplates/polite"}]
    clauses = clauses_of(given, templates, lambda text: text.replace("{{rude}}", "darn"))
    assert (clauses.find, clauses.avoid, clauses.left) == (["a"], ["darn"], ["similar"])


CONFIG = """
prompts:
  - "Name the capital of {{country}}. {{ how.long }}"
  - file://prompt.txt
providers: [openai:gpt-4.1]
defaultTest:
  vars: {how: {long: Be short.}}
  assert: [{type: not-contains, value: sorry}]
assertionTemplates:
  city: {type: icontains, value: '{{capital}}'}
tests:
  - description: France
    vars: {country: France, capital: Paris}
    assert:
      - $ref: '#/assertionTemplates/city'
      - {type: llm-rubric, value: is kind}
  - vars: {country: Italy}
    options: {disableDefaultAsserts: true}
    assert: [{type: latency, threshold: 100}]
  - vars: {country: [Spain, Peru]}
    assert: [{type: contains, value: a}]
  - file://more.json
  - file://../outside.yaml
  - {path: 'file://make.py:tests'}
  - vars: {country: '{{x}}'}
    threshold: 0.5
scenarios: [{config: []}]
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    folder = tmp_path / "tests"
    folder.mkdir()
    (tmp_path / "outside.yaml").write_text("[]")
    (folder / "prompt.txt").write_text("Which city rules {{country}}?\n---\n{% if country %}{{country}}{% endif %}\n")
    (folder / "more.json").write_text(
        '[{"vars": {"country": "Chad"}, "assert": [{"type": "equals", "value": "N\'Djamena"}]}]'
    )
    file = folder / "My tests.yaml"
    file.write_text(CONFIG)
    return file


def by_name(file: Path) -> dict[str, Came]:
    return {came.name.removeprefix("promptfoo-my-tests-"): came for came in read_tests(file)}


def test_each_test_with_each_prompt_is_a_draft_and_what_cannot_be_one_is_told(config: Path) -> None:
    came = by_name(config)
    first = came["1-1"].draft
    assert first is not None
    assert (first.slug, first.title) == ("promptfoo-my-tests-1-1", "France")
    assert first.prompt == "Name the capital of France. Be short."
    assert first.key == {"must_find": ["paris"], "must_not_claim": ["sorry"], "min_answer_chars": 1}
    assert came["1-1"].left == ["llm-rubric"]
    assert first.why.startswith("From My tests.yaml, test 1. ")
    assert first.why.endswith("Left out: llm-rubric.")
    second = came["1-2"].draft
    assert second is not None
    assert second.prompt == "Which city rules France?"
    chad = came["4-1"].draft
    assert chad is not None
    assert chad.key["must_not_claim"] == ["sorry"]
    told = {name: one.left for name, one in came.items() if one.draft is None}
    assert told["1-3"][-1] == "a template that does more than name variables"
    assert told["2-1"] == ["latency", "nothing of it can be checked here"]
    assert told["3-1"] == ["the variable country is no text"]
    assert told["5-1"] == ["file://../outside.yaml is no YAML or JSON beside the file"]
    assert told["6-1"] == ["it is made by a program"]
    assert told["7-1"] == ["it has threshold"]
    assert "scenarios" in told


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "cannot be read"),
        ("hello", "neither a configuration"),
        ("prompts: [x]", "has no tests"),
        ("tests: [{vars: {}}]", "has no prompts"),
        ("{prompts: [x], tests: [{}], defaultTest: 'file://default.yaml'}", "defaultTest is not written in it"),
    ],
)
def test_a_file_without_tests_is_refused(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(text)
    with pytest.raises(BadFile, match=why):
        list(read_tests(file))


def test_a_list_of_tests_alone_asks_its_prompt_variable_and_a_test_may_choose_its_prompts(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text('[{"vars": {"prompt": "Say {a}"}, "assert": [{"type": "contains", "value": "a"}]}]')
    (came,) = read_tests(file)
    assert came.draft is not None
    assert came.draft.prompt == "Say {a}"
    file.write_text(
        '{"prompts": [{"raw": "one", "label": "A"}, {"raw": "two", "label": "B"}, [], "[{\\"role\\": \\"user\\"}]"],'
        ' "tests": {"prompts": ["B", "3", "4"], "assert": [{"type": "contains", "value": "a"}]}}'
    )
    told = {came.name: came.draft.prompt if came.draft else came.left[0] for came in read_tests(file)}
    assert told == {
        "promptfoo-x-1-2": "two",
        "promptfoo-x-1-3": "prompt 3: it is no text",
        "promptfoo-x-1-4": "prompt 4: it is a conversation",
    }


def ran(*words: str) -> str:
    out = io.StringIO()
    call_command("import_promptfoo", *words, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_the_command_keeps_drafts_and_tells_the_rest(config: Path) -> None:
    assert ran(str(config), "--dry-run").endswith("2 whole, 2 in part, 18 not; nothing was written\n")
    assert not Task.objects.exists()
    said = ran(str(config), "--licence", "MIT")
    assert "promptfoo-my-tests-1-1: llm-rubric; left out" in said
    assert said.endswith("2 whole, 2 in part, 18 not; they wait for review\n")
    assert {(task.origin, task.draft, task.licence) for task in Task.objects.all()} == {("promptfoo", True, "MIT")}
    ran(str(config), "--licence", "MIT")
    assert TaskVersion.objects.count() == Task.objects.count() == 4
    Task.objects.filter(slug="promptfoo-my-tests-1-1").update(origin="hand", title="Mine")
    assert "a task of another origin has this name" in ran(str(config))
    assert Task.objects.get(slug="promptfoo-my-tests-1-1").title == "Mine"
    with pytest.raises(CommandError, match="cannot be read"):
        ran(str(config.with_name("gone.yaml")))
