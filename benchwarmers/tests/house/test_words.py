"""The words of the pages can be translated: templates have none outside `translate` and `blocktranslate`."""

from __future__ import annotations

import ast
import re
from html.parser import HTMLParser

import pytest
from django.template.base import Lexer, TokenType

from benchwarmers.tests.house.tree import ROOT

TEMPLATES = ROOT / "templates"
SPOKEN = {"aria-label", "title", "placeholder", "alt", "data-asks", "data-yes", "data-key-says", "label"}
NAMES = re.compile(
    r"\b(Benchwarmers|OpenAI|Anthropic|Gemini|Ollama|LiveBench|models\.dev|BullshitBench|JSON|CSV|SVG|API|URL|SHA|MCP|SSE|"
    r"Python|JavaScript|curl|ms|kB|MB|GB|rpm|rpd|tpm|tpd|Ctrl|Enter|bench|https?|TOTP|OIDC)\b"
)
WIDTH = re.compile(r"\{% block width %\}\w+\{% endblock %\}")
"""The name of a class."""
WORD = re.compile(r"[^\W\d_]{2,}")
VOID = {"br", "hr", "img", "input", "link", "meta", "rect", "path", "circle", "line", "use", "source", "wbr", "col"}


class Words(HTMLParser):
    """Gathers the words between tags and those of spoken attributes; code is nobody's language."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.inside: list[str] = []
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [text for name, text in attrs if name in SPOKEN and text]
        if tag not in VOID:
            self.inside.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [text for name, text in attrs if name in SPOKEN and text]

    def handle_endtag(self, tag: str) -> None:
        if tag in self.inside:
            while self.inside.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not {"code", "pre", "kbd", "script", "style", "samp"} & set(self.inside):
            self.found.append(data)


def bare_words(source: str) -> list[str]:
    """The texts of a template that nothing translates."""
    kept: list[str] = []
    deep = 0
    for token in Lexer(WIDTH.sub("", source)).tokenize():
        word = token.contents.split(" ", 1)[0] if token.token_type == TokenType.BLOCK else ""
        if word in {"blocktranslate", "blocktrans", "comment"}:
            deep += 1
        elif word in {"endblocktranslate", "endblocktrans", "endcomment"}:
            deep -= 1
        elif token.token_type == TokenType.TEXT and not deep:
            kept.append(token.contents)
        elif not deep:
            kept.append("·")  # what is filled in ends no attribute and is no word
    reader = Words()
    reader.feed("".join(kept))
    return [text.strip() for text in reader.found if WORD.search(NAMES.sub("", text))]


@pytest.mark.parametrize(
    ("source", "bare"),
    [
        ("<p>{% translate 'Two words' %}</p>", []),
        ("<p>Two words</p>", ["Two words"]),
        ("<p>{% blocktranslate %}Two {{ x }} words{% endblocktranslate %} more</p>", ["more"]),
        ('<a title="Away {{ x }}">·</a>', ["Away ·"]),
        ('<a title="{% translate "Away" %}" href="/words/">{{ words }}</a>', []),
        ("<pre>make up</pre><code>ls</code><p>12 ms · JSON</p>", []),
        ("{% comment %}Not shown{% endcomment %}{# nor this #}", []),
    ],
)
def test_bare_words_are_found(source: str, bare: list[str]) -> None:
    assert bare_words(source) == bare


def test_templates_have_no_words_that_nobody_could_translate() -> None:
    found = {}
    for path in sorted(TEMPLATES.rglob("*.html")):
        at = path.relative_to(TEMPLATES)
        if words := bare_words(path.read_text()):
            found[str(at)] = words
    assert found == {}


def test_what_a_page_tells_after_a_deed_can_be_translated() -> None:
    found = []
    for path in sorted((ROOT / "benchwarmers").rglob("*.py")):
        at = path.relative_to(ROOT / "benchwarmers").as_posix()
        if "tests" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) > 1):
                continue
            of = node.func.value
            if (
                isinstance(of, ast.Name)
                and of.id == "messages"
                and isinstance(node.args[1], (ast.Constant, ast.JoinedStr))
            ):
                found.append(f"{at}:{node.lineno}")
    assert found == []
