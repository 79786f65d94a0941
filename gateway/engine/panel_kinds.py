"""The runs of a panel by the mode in which it answers."""

from __future__ import annotations

from typing import Final

from gateway.engine.merge import MergedRun
from gateway.engine.panel import PanelRun
from gateway.engine.panel_choices import ChoicesRun

PANELS: Final[dict[str, type[PanelRun]]] = {run.mode: run for run in (PanelRun, MergedRun, ChoicesRun)}
