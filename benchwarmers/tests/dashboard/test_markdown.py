"""Laying out a model's text."""

from __future__ import annotations

from benchwarmers.dashboard.markdown import LONGEST, first_line, render_markdown, split_blocks


def test_headings_come_below_the_cards_whatever_level_a_model_starts_at() -> None:
    assert render_markdown("# One\n## Two") == "<h4>One</h4>\n<h5>Two</h5>\n"
    assert render_markdown("### Three\n###### Six") == "<h4>Three</h4>\n<h6>Six</h6>\n"


def test_code_keeps_its_text_and_language_and_can_be_scrolled_by_key() -> None:
    assert render_markdown("```py\na < b\n```") == ('<pre tabindex="0" data-lang="py"><code>a &lt; b\n</code></pre>\n')


def test_html_is_shown_as_text() -> None:
    assert render_markdown("a <b>c</b>") == "<p>a &lt;b&gt;c&lt;/b&gt;</p>\n"


def test_a_picture_inside_a_link_is_its_words() -> None:
    assert render_markdown("[![alt](https://a.example/x.png)](https://b.example)").count("<a ") == 1


def test_tables_and_struck_words_are_laid_out() -> None:
    assert "<td>1</td>" in render_markdown("|a|\n|-|\n|1|")
    assert "<s>no</s>" in render_markdown("~~no~~")


def test_a_text_too_long_to_lay_out_is_shown_as_it_is() -> None:
    assert render_markdown("<b>" * LONGEST).startswith('<pre tabindex="0">&lt;b&gt;')


def test_the_first_line_is_the_first_that_says_something() -> None:
    assert first_line("\n  \n  Hello \nyou") == "Hello"
    assert first_line("x" * 500, longest=10) == "x" * 9 + "…"
    assert first_line("") == ""


def test_a_prompt_is_cut_into_prose_and_code() -> None:
    assert split_blocks("Read this.\n\ndef f():\n    return 1\n\n    # end\n\nThanks") == [
        ("Read this.", False),
        ("def f():\n    return 1\n\n    # end", True),
        ("Thanks", False),
    ]
    assert split_blocks("```\na\n\nb\n```") == [("```\na\n\nb\n```", True)]
