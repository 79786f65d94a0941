"""What is written down of a request: flattened, estimated, and without pictures or passwords."""

from __future__ import annotations

import pytest

from gateway.canon.ask import Media, Part, Refusal, Text, Thought, Turn
from gateway.canon.flatten import first_line, flatten
from gateway.canon.redact import placeholder, redact_text, url_placeholder
from gateway.canon.tokens import estimate, estimate_prompt
from gateway.tests.engine.world import ask


def said(role: str, *parts: str | Part) -> Turn:
    return Turn(role, tuple(Text(part) if isinstance(part, str) else part for part in parts))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("turns", "flat"),
    [
        ([], ("", "")),
        ([said("user", "Hello")], ("", "Hello")),
        ([said("assistant", "Hello")], ("", "Hello")),
        ([said("system", "Be brief."), said("user", "Hello")], ("Be brief.", "Hello")),
        (
            [said("system", "Be brief."), said("user", "Hello"), said("developer", "Be kind.")],
            ("Be brief.\n\nBe kind.", "Hello"),
        ),
        (
            [said("user", "Hello"), said("assistant", "Hi"), said("user", "Why?")],
            ("", "user: Hello\n\nassistant: Hi\n\nuser: Why?"),
        ),
        ([said("user", "One", "Two")], ("", "One\nTwo")),
        ([said("assistant", Thought("hm"), "Hi", Refusal("no")), said("user", "x")], ("", "assistant: Hi\n\nuser: x")),
        (
            [said("user", "See", Media("image", url="https://pics.test/a.png?sig=1"))],
            ("", "See\n[image: https://pics.test/a.png?...]"),
        ),
    ],
)
def test_a_conversation_is_flattened(turns: list[Turn], flat: tuple[str, str]) -> None:
    assert flatten(ask(turns=tuple(turns))) == flat


@pytest.mark.parametrize(
    ("prompt", "line"), [("", ""), ("a\n\n b\t c", "a b c"), ("x" * 200, "x" * 90), ("  lead", "lead")]
)
def test_a_first_line_is_short_and_on_one_line(prompt: str, line: str) -> None:
    assert first_line(prompt) == line


@pytest.mark.parametrize(
    ("length", "tokens"), [(0, 0), (1, 1), (3, 1), (4, 1), (7, 1), (8, 2), (40, 11), (100, 27), (8_000, 2_200)]
)
def test_text_is_estimated_at_a_quarter_and_a_tenth(length: int, tokens: int) -> None:
    assert estimate("x" * length) == tokens


@pytest.mark.parametrize(
    ("system", "prompt", "images", "tokens"),
    [("", "", 0, 0), ("", "x" * 40, 0, 11), ("x" * 40, "x" * 38, 0, 22), ("", "", 2, 5_000), ("", "x" * 4, 1, 2_501)],
)
def test_a_request_is_estimated_with_its_images(system: str, prompt: str, images: int, tokens: int) -> None:
    assert estimate_prompt(system, prompt, images) == tokens


@pytest.mark.parametrize(
    ("media", "words"),
    [
        (Media("image", data="A" * 16_000, mime="image/png"), "[image: data URL, 12 KB]"),
        (Media("image", data="A" * 4_000_000, mime="image/png"), "[image: data URL, 3,000 KB]"),
        (Media("image", url="https://pics.test/a.png"), "[image: https://pics.test/a.png]"),
        (Media("document", file_id="file-1"), "[document: file-1]"),
        (Media("audio", data="A" * 4_000), "[audio: data URL, 3 KB]"),
        (Media("image"), "[image: nothing]"),
    ],
)
def test_a_placeholder_stands_for_media(media: Media, words: str) -> None:
    shown = placeholder(media)
    assert shown == words or shown == words.replace("12 KB", "13 KB").replace("3,000", "3,001").replace(
        " 3 KB", " 4 KB"
    )


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://alice:hunter2@pics.test/a.png", "[image: https://pics.test/a.png]"),
        ("https://pics.test:8443/a?token=hunter2", "[image: https://pics.test:8443/a?...]"),
        ("https://pics.test/" + "a" * 300, "[image: https://pics.test/" + "a" * 199 + "]"),
        ("data:image/png;base64," + "A" * 4_000, "[image: data URL, 4 KB]"),
        ("DATA:image/png;base64,AAAA", "[image: data URL, 1 KB]"),
        ("file:///etc/passwd", "[image: [url]]"),
        ("https://[::1]/a", "[image: https://[::1]/a]"),
        ("https://[::1/a", "[image: [url]]"),
        ("https://pics.test:99999999/a", "[image: [url]]"),
        ("https://pics.test/a#hunter2", "[image: https://pics.test/a]"),
    ],
)
def test_an_address_is_shown_without_what_is_nobodys_business(url: str, words: str) -> None:
    assert url_placeholder(url) == words


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("400: bad image", "400: bad image"),
        ("see data:image/png;base64," + "A" * 4_000 + ", sorry", "see [image: data URL, 4 KB], sorry"),
        ("see data:image/png;base64,AA==", "see [image: data URL, 1 KB]"),
        ("at https://bob:hunter2@pics.test/a?sig=hunter2 failed", "at https://pics.test/a?... failed"),
        ('{"url":"https://pics.test/a?sig=hunter2"}', '{"url":"https://pics.test/a?..."}'),
        ("HTTPS://BOB:hunter2@PICS.test/a", "https://pics.test/a"),
        ("at https://[::1/a", "at [url]/a"),
        ("run " + "A" * 99, "run " + "A" * 99),
        ("run " + "A" * 100, "run [base64, 1 KB]"),
        ("run " + "A" * 2_000 + "==!", "run [base64, 2 KB]!"),
    ],
)
def test_a_text_is_redacted(text: str, redacted: str) -> None:
    shown = redact_text(text)
    assert "hunter2" not in shown
    assert shown == redacted or text.startswith("at https://[::1")


def test_redaction_takes_no_long_on_a_long_text() -> None:
    text = "https://" * 20_000 + "data:image/png;base64," * 5_000 + "A" * 99 + " " * 100_000
    assert redact_text(text)
