"""Models of known skill through a pass that the real worker makes, from the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchwarmers.tests.live.product import Product
from probes.tests.sweeps.provider import provider
from suite.tests.skill.skilled import Skill, folder_form, skilled, tasks

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
MODELS = {"sure": Skill(finds=1.0, invents=0.0), "half": Skill(finds=0.5, invents=0.5), "none": Skill(0.0, 1.0)}


def test_a_pass_through_the_worker_measures_each_model_and_puts_them_in_order(product: Product, tmp_path: Path) -> None:
    for name, said in folder_form(tasks(2)).items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "task.json").write_text(json.dumps(said))
    with provider(skilled(MODELS)) as one:
        file = tmp_path / "skilled.toml"
        file.write_text(
            "".join(
                f'[[endpoint]]\nname = "skilled-{name}"\nbase = "{one.base}"\nkind = "local"\n'
                f'[[model]]\nalias = "{name}"\nserved = "{name}"\nendpoint = "skilled-{name}"\nad_hoc = true\n'
                for name in MODELS
            )
        )
        product.manage("apply", str(file))
        product.manage("load_suite", str(tmp_path))
        told = product.manage("suite_pass", "--models", ",".join(MODELS), "--tasks", "bug-*,control-*", "--wait")
    assert "done: 12 answered" in told
    assert {served for served, _ in one.asked} == set(MODELS)
    lines = {" ".join(line.split()) for line in product.manage("suite_table").splitlines()}
    assert "sure 2 0 0 2 0 +1.00 0% (0-66%) of 2" in lines
    assert "half 1 1 0 1 1 +0.00 50% (9-91%) of 2" in lines
    assert "none 0 1 1 0 2 -1.00 100% (34-100%) of 2" in lines
