"""Pictures that tests take of pages. They lie in the folder that BENCH_ARTIFACTS names, else in `.artifacts` of the
checkout, for whoever wants to see what was tested; no test reads them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

from benchwarmers.tests.up.running import ROOT

VARIABLE: Final = "BENCH_ARTIFACTS"


def folder() -> Path:
    """Where the pictures lie; made when it is first asked for."""
    found = Path(os.environ.get(VARIABLE) or ROOT / ".artifacts")
    found.mkdir(parents=True, exist_ok=True)
    return found


def keep(page: Page, name: str) -> Path:
    """Keep the whole page as `<name>.png`, in place of an earlier picture of that name; returns its path."""
    path = folder() / f"{name}.png"
    page.screenshot(path=str(path), full_page=True, animations="disabled")
    return path
