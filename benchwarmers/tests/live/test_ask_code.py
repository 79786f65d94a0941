"""What "Copy as code" gives, run as it stands: curl in a shell, and Python with the libraries themselves."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from benchwarmers.ask.code import FORMATS, write_code
from benchwarmers.ask.question import Image, Question
from benchwarmers.tests.live.product import Product
from benchwarmers.tests.live.sdks import PNG

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
WORDS = "Say \"$HOME\" and `date`, a 'quoted' \\n ü.\nOn two lines."
PLAIN = Question(collection="asked-by-code", prompt=WORDS)
FULL = Question(
    collection="asked-by-code",
    prompt=WORDS,
    system="Be $brief.",
    nominated=("quick",),
    explorers="0",
    images=(Image("a dot's $1.png", "image/png", PNG),),
)
NAMES = [one.name for one in FORMATS]
SERVED = "says-code"


@pytest.fixture(scope="module", autouse=True)
def asked_by_code(product: Product, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A collection of one member that sees."""
    file = tmp_path_factory.mktemp("code") / "code.toml"
    file.write_text(
        f'[[model]]\nalias = "code"\nserved = "{SERVED}"\nendpoint = "provider"\nvision = true\nad_hoc = true\n'
        '[[collection]]\nname = "asked-by-code"\nmembers = ["code"]\nmax_explorers = 0\n'
    )
    product.manage("apply", str(file))


def code(product: Product, question: Question, name: str, language: str) -> str:
    (written,) = (one for one in write_code(question, f"http://127.0.0.1:{product.port}") if one.name == name)
    return next(snippet.text for snippet in written.snippets if snippet.language == language)


def by_shell(text: str, folder: Path) -> str:
    environment = os.environ | {"BENCHWARMERS_KEY": "local"}
    done = subprocess.run(
        ["/bin/sh", "-c", text], cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def by_python(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """In this process: the libraries are loaded here already."""
    monkeypatch.setenv("BENCHWARMERS_KEY", "local")
    monkeypatch.chdir(folder)
    said, names = io.StringIO(), {"__name__": "__main__"}
    with contextlib.redirect_stdout(said):
        exec(compile(text, "copied.py", "exec"), names)  # noqa: S102 our own text
    client: Any = names["client"]
    (client if hasattr(client, "close") else client._client).close()
    return said.getvalue()


def heard(product: Product, question: Question) -> list[Any]:
    """What the member was asked since the last look: its messages."""
    bodies = product.provider.asked.pop(SERVED, [])
    assert len(bodies) == 1, question.model
    return list(bodies[0]["messages"])


def assert_all_came(messages: list[Any], question: Question) -> None:
    *system, user = messages
    assert [one["content"] for one in system] == ([question.system] if question.system else [])
    if not question.images:
        assert user["content"] == question.prompt
        return
    words = [part["text"] for part in user["content"] if part["type"] == "text"]
    urls = [part["image_url"]["url"] for part in user["content"] if part["type"] == "image_url"]
    assert words == [question.prompt]
    assert urls == [f"data:image/png;base64,{question.images[0].base64}"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for image in FULL.images:
        (tmp_path / image.name).write_bytes(image.data)
    return tmp_path


@pytest.mark.parametrize("question", [PLAIN, FULL], ids=["plain", "full"])
@pytest.mark.parametrize("name", NAMES)
def test_curl_asks_what_the_page_would(product: Product, folder: Path, name: str, question: Question) -> None:
    text = code(product, question, name, "curl")
    if name == "completions" and question is FULL:
        assert text == ""
        return
    assert "code" in by_shell(text, folder)
    assert_all_came(heard(product, question), question)


@pytest.mark.parametrize("question", [PLAIN, FULL], ids=["plain", "full"])
@pytest.mark.parametrize("name", NAMES)
def test_python_asks_what_the_page_would(
    product: Product, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, question: Question
) -> None:
    if name in ("completions", "ollama") and question is FULL:
        if name == "completions":
            return
        question = Question(collection=FULL.collection, prompt=WORDS, system=FULL.system, images=FULL.images)
    said = by_python(code(product, question, name, "Python"), folder, monkeypatch)
    assert "## member — code" in said
    assert_all_came(heard(product, question), question)
