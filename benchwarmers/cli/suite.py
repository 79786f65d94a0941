"""`bench suite`: the suite of tasks, on the machine that holds the installation."""

from __future__ import annotations

from typing import Final

import click

from benchwarmers.cli.base import Group
from benchwarmers.cli.local import passed

PASSES: Final = {
    "load": ("load_suite", "Load tasks from a folder.", "bench suite load tasks/"),
    "run": ("suite_pass", "Ask models the tasks.", "bench suite run --models alpha,beta --wait"),
    "table": ("suite_table", "Print how the models did.", "bench suite table --shape finding"),
    "speed": ("speed_table", "Print how fast they answer.", "bench suite speed"),
    "rescore": ("rescore_suite", "Score saved answers again.", "bench suite rescore"),
    "seed": ("seed_suite", "Make tasks by planting faults in code.", "bench suite seed --help"),
    "mine-history": ("mine_history", "Make tasks of bugs mended in a repository.", "bench suite mine-history --help"),
    "mine-claims": ("mine_claims", "Make tasks of judged claims.", "bench suite mine-claims --help"),
    "needle": ("needle_suite", "Make tasks of one function among many.", "bench suite needle --help"),
    "judge": ("judge_answers", "Have a model judge prose answers.", "bench suite judge --help"),
    "calibrate": ("calibrate_judge", "Compare that judge with people.", "bench suite calibrate --help"),
    "export": ("export_suite", "Write results for other programs.", "bench suite export --help"),
    "import-promptfoo": ("import_promptfoo", "Read tests of promptfoo.", "bench suite import-promptfoo --help"),
    "import-rebench": ("import_rebench", "Read results of rebench.", "bench suite import-rebench --help"),
    "import-original": ("import_original_suite", "Read the original's answers.", "bench suite import-original --help"),
}
"""By name, the command of manage.py, what it does, and an example."""


@click.group("suite", cls=Group)
def suite() -> None:
    """Run the suite of tasks and print what it found, on this machine.

    These work on the data folder here, not on a server elsewhere. Each takes the options of the command of manage.py
    that it stands for; --help after it lists them.
    """


for _name, (_command, _about, _example) in PASSES.items():
    suite.add_command(passed(_name, _command, f"{_about} Works on this machine.", _example))

COMMANDS: Final = {"suite": suite}
