"""The tools themselves judge the deployment files: systemd its units, compose its file, kubectl its list. Not part of
`make test`, which has none of them: `make test-deploy`. A tool that is missing is a failure here.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

from benchwarmers.tests.house.tree import ROOT
from benchwarmers.tests.packaging.test_deploy_files import DEPLOY, UNITS, kubernetes


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    for unit in UNITS:
        text = unit.read_text().replace("/opt/benchwarmers/bin/python", sys.executable)
        (tmp_path / unit.name).write_text(text)
    words = ["systemd-analyze", "verify", *(str(tmp_path / unit.name) for unit in UNITS)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, [line for line in done.stderr.splitlines() if "benchwarmers" in line]) == (0, [])


def composer() -> list[str]:
    """The program that reads compose files, or nothing."""
    if shutil.which("docker-compose"):
        return ["docker-compose"]
    docker = shutil.which("docker")
    if docker and not subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        return [docker, "compose"]
    return []


def test_compose_takes_its_file_and_asks_for_the_secrets(tmp_path: Path) -> None:
    def config(**secrets: str) -> subprocess.CompletedProcess[str]:
        words = [*composer(), "--file", str(ROOT / "docker-compose.yml"), "config", "--quiet"]
        variables = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(tmp_path), **secrets}
        return subprocess.run(words, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)

    both = {"POSTGRES_PASSWORD": "a-password", "BENCHWARMERS_ADMIN_TOKEN": "sixteen-or-more-characters"}
    whole = config(**both)
    assert whole.returncode == 0, whole.stderr
    for name in both:
        refused = config(**{other: text for other, text in both.items() if other != name})
        assert refused.returncode != 0
        assert name in refused.stderr


def test_kubectl_puts_the_files_together(tmp_path: Path) -> None:
    for path in (DEPLOY / "kubernetes").glob("*.yaml"):
        shutil.copy(path, tmp_path / path.name.replace("secret.example", "secret"))
    done = subprocess.run(["kubectl", "kustomize", str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    built = [one for one in yaml.safe_load_all(done.stdout) if one]
    assert len(built) == len(kubernetes()) - 1, "all but the list itself"
    images = set(re.findall(r"image: (\S+)", done.stdout))
    assert len(images) == 1
    assert re.fullmatch(r"registry\.example\.org/benchwarmers:.+", images.pop())
