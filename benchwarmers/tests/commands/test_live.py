"""The commands of the pages, typed as they are printed at a running installation, page after page."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

import pytest

from benchwarmers.tests.commands.place import Place
from benchwarmers.tests.commands.printed import Printed, of_page
from benchwarmers.tests.commands.unrun import UNRUN, VARIABLES
from benchwarmers.tests.house.tree import ROOT
from benchwarmers.tests.live import test_formats_docs, test_tutorial_docs

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("commands"), pytest.mark.timeout(900)]
PAGES: Final = (
    "docs/api.md",
    "docs/cli.md",
    "docs/backup.md",
    "docs/team.md",
    "README.md",
    "docs/tutorial.md",
    "docs/moving-in.md",
    "docs/deploy.md",
)
"""In this order: what one sets up, the next may use."""
ELSEWHERE = test_formats_docs.RUNS | test_tutorial_docs.RUNS
UNDONE: Final = {"bench endpoint add openrouter": "bench endpoint rm openrouter -y"}
"""What is there for the sake of blocks above is taken away before what makes it."""
STOPPED = re.compile(r"manage\.py restore (?!--check)")
"""Commands for a server that does not run: they go to a data folder beside it."""


def reasons(one: Printed) -> set[str]:
    return {why for page, text, why in UNRUN if re.fullmatch(page, one.page) and re.match(text, one.text)}


def is_run(one: Printed) -> bool:
    return (one.page, one.text) not in ELSEWHERE and not reasons(one)


RUNS = {(one.page, one.text) for page in PAGES for one in of_page(page) if is_run(one)}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    running = Place(tmp_path_factory.mktemp("commands"), tmp_path_factory.mktemp("clone"))
    yield running
    running.run.end()


@pytest.fixture(scope="module")
def told(place: Place) -> dict[str, str]:
    """By page: what its commands wrote, or how one of them failed."""
    return {page: _typed(place, page) for page in PAGES}


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_work(told: dict[str, str], page: str) -> None:
    assert "FAILED" not in told[page], told[page]


def _typed(place: Place, page: str) -> str:
    """Block after block: each is one shell."""
    _prepare(place.folder, page)
    told = []
    for _, block in groupby(of_page(page), key=lambda one: one.block):
        all_of_it = list(block)
        if not any(is_run(one) for one in all_of_it):
            continue
        commands = [one.text for one in all_of_it if is_run(one) or reasons(one) == {VARIABLES}]
        for first in (undo for text in commands for made, undo in UNDONE.items() if text.startswith(made)):
            place.type([first])
        aside = {}
        if any(STOPPED.search(text) for text in commands) and page == "docs/backup.md":
            aside["BENCHWARMERS_HOME"] = str(place.folder / "srv" / "aside")
        try:
            told.append(place.type(commands, **aside))
        except AssertionError as error:
            told.append(f"FAILED {error}")
    return "\n".join(told)


def _prepare(folder: Path, page: str) -> None:
    """The files that a page says were written before."""
    for archive in folder.glob("*.zip"):
        archive.unlink()
    text = (ROOT / (page if page in {"README.md", "docs/tutorial.md"} else "README.md")).read_text("utf-8")
    blocks = re.findall(r"^```toml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    (folder / "setup.toml").write_text(next(block for block in blocks if "[[endpoint]]" in block))
    aside = folder / "srv" / "aside"
    aside.mkdir(exist_ok=True, mode=0o700)
    shutil.copy(folder / "vault-key", aside / "vault-key")
