"""Shows a model's text as markdown, safely: what a model wrote is never trusted.

Raw HTML is shown as text, links are http, https or mailto and never tell where they came from, and pictures become
links, because loading one would tell another host who reads. The result is sanitised once more on the way out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

LONGEST = 200_000
"""Characters. A longer text is shown as it is; laying it out would keep the reader waiting."""

TAGS = {
    *("p", "br", "hr", "h4", "h5", "h6", "blockquote", "pre", "code", "a"),
    *("em", "strong", "s", "del", "ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}, "pre": {"data-lang", "tabindex"}}
SCHEMES = {"http", "https", "mailto"}


def render_markdown(text: str) -> SafeString:
    """Clean HTML of a model's markdown."""
    if len(text) > LONGEST:
        return mark_safe(f'<pre tabindex="0">{escape(text)}</pre>')  # noqa: S308 escaped
    tokens = _markdown.parse(text)
    _lower_headings(tokens)
    clean = nh3.clean(
        _markdown.renderer.render(tokens, _markdown.options, {}),
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes=SCHEMES,
        link_rel="nofollow noopener noreferrer",
    )
    return mark_safe(clean)  # noqa: S308 sanitised in the line above


def first_line(text: str, longest: int = 240) -> str:
    """The first line that says something, cut at `longest` characters."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def split_blocks(text: str) -> list[tuple[str, bool]]:
    """What a person wrote, cut at blank lines: (block, whether it is code). Fenced and indented blocks are code."""
    blocks: list[tuple[str, bool]] = []
    fenced = False
    for block in re.split(r"\n[ \t]*\n", text.strip("\n")):
        fences = sum(line.lstrip().startswith("```") for line in block.splitlines())
        indented = any(line.startswith(("  ", "\t")) for line in block.splitlines())
        is_code = fenced or fences > 0 or indented
        if blocks and is_code and blocks[-1][1]:
            blocks[-1] = (f"{blocks[-1][0]}\n\n{block}", True)
        else:
            blocks.append((block, is_code))
        fenced ^= fences % 2 == 1
    return blocks


def _lower_headings(tokens: Sequence[Token]) -> None:
    """An answer's headings come below its card's: the highest it uses becomes a fourth-level one."""
    headings = [token for token in tokens if token.type in {"heading_open", "heading_close"}]
    highest = min((int(token.tag[1]) for token in headings), default=1)
    for token in headings:
        token.tag = f"h{min(int(token.tag[1]) - highest + 4, 6)}"


def _image(self: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
    """A link in a picture's place, or its words alone inside another link."""
    token = tokens[at]
    words = escape(token.content or "picture")
    linked = sum(one.nesting for one in tokens[:at] if one.type.startswith("link_"))
    if linked:
        return words
    return f'<a href="{escape(str(token.attrs.get("src", "")))}">{words}</a>'


def _code(self: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
    """A block that the keyboard can scroll, with the name of its language."""
    token = tokens[at]
    words = token.info.split(maxsplit=1)
    language = f' data-lang="{escape(words[0][:24])}"' if words else ""
    return f'<pre tabindex="0"{language}><code>{escape(token.content)}</code></pre>\n'


def _make() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    for name, rule in (
        ("image", _image),
        ("fence", _code),
        ("code_block", _code),
    ):
        made.add_render_rule(name, rule)
    return made


_markdown = _make()
