"""Compose, containers, units and Kubernetes start what `up` starts, as nobody special, and are looked after."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchwarmers import valkey
from benchwarmers.env import read_environment
from benchwarmers.tests.house.test_docs import VARIABLE, documented
from benchwarmers.tests.house.tree import ROOT
from benchwarmers.up import COMMANDS
from benchwarmers.webs import PARTING_S

DEPLOY = ROOT / "docs/deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
APP = ("init", "web", "worker", "beat")
NOBODY = 10_001
FILES = [ROOT / "Dockerfile", ROOT / "docker-compose.yml", *UNITS, *sorted((DEPLOY / "kubernetes").glob("*.yaml"))]


def kubernetes() -> dict[tuple[str, str], Any]:
    """Every object, by its kind and name."""
    found = [
        one for path in FILES if path.parent.name == "kubernetes" for one in yaml.safe_load_all(path.read_text()) if one
    ]
    return {(one["kind"], one.get("metadata", {}).get("name", "")): one for one in found}


def pods() -> dict[str, dict[str, Any]]:
    """The pod of each of our processes."""
    objects = kubernetes()
    kinds = {"init": "Job", "web": "Deployment", "worker": "Deployment", "beat": "Deployment"}
    return {name: objects[kind, f"benchwarmers-{name}"]["spec"]["template"]["spec"] for name, kind in kinds.items()}


def command_of_unit(name: str) -> list[str]:
    (line,) = re.findall(r"^ExecStart=(.+)$", (DEPLOY / "systemd" / name).read_text(), re.MULTILINE)
    return shlex.split(line)


@pytest.mark.parametrize("name", APP)
def test_every_way_starts_a_process_as_up_does(name: str) -> None:
    """On one machine `up` keeps the web processes, so that they can share its port; in a cluster each is a pod."""
    command = ["python", *COMMANDS[name]]
    (container,) = pods()[name]["containers"]
    assert container["command"] == command
    if name == "web":
        command = ["python", "-m", "benchwarmers.up", "web"]
    assert COMPOSE["services"][name]["command"] == command
    program, *words = command_of_unit(f"benchwarmers-{name}.service")
    assert (Path(program).name, words) == ("python", command[1:])


def test_every_way_gives_open_streams_their_time() -> None:
    limit = read_environment({}).drain_s + PARTING_S
    unit = (DEPLOY / "systemd/benchwarmers-web.service").read_text()
    assert int(re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)[0]) > limit
    assert int(COMPOSE["services"]["web"]["stop_grace_period"].removesuffix("s")) > limit
    assert "ExecReload=/bin/kill -HUP $MAINPID" in unit


def test_one_container_and_one_unit_run_up() -> None:
    whole = ["python", "-m", "benchwarmers.up"]
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert re.findall(r"^CMD (.+)$", dockerfile, re.MULTILINE) == [str(whole).replace("'", '"')]
    assert command_of_unit("benchwarmers.service")[1:] == whole[1:]


def test_the_valkey_of_compose_keeps_what_ours_keeps(tmp_path: Path) -> None:
    ours = valkey.server_command("valkey-server", tmp_path, tmp_path / "valkey.sock")
    theirs = COMPOSE["services"]["valkey"]["command"]
    for flag in ("--appendonly", "--appendfsync", "--save", "--maxmemory-policy"):
        assert theirs[theirs.index(flag) + 1] == ours[ours.index(flag) + 1], flag


def test_the_image_runs_as_nobody_special_is_looked_after_and_keeps_its_data() -> None:
    lines = (ROOT / "Dockerfile").read_text()
    assert re.findall(r"^USER (.+)$", lines, re.MULTILINE) == [f"{NOBODY}:{NOBODY}"]
    assert f"--uid {NOBODY} " in lines
    assert "--require-hashes -r requirements.txt" in lines
    assert re.search(r"^VOLUME /data$", lines, re.MULTILINE)
    assert lines.index("HEALTHCHECK") > 0
    assert "/health/live" in lines
    assert lines.index("USER ") > lines.rindex("RUN "), "everything is installed before"


def test_the_image_gets_what_runs_and_nothing_that_nobody_thought_of() -> None:
    words = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and line[0] != "#"]
    assert words[0] == "*"
    packages = {"benchwarmers", "gateway", "collections_app", "probes", "suite"}
    assert {word[1:] for word in words if word[0] == "!"} >= packages | {"templates", "requirements.txt"}
    assert "**/tests" in words


def test_compose_waits_for_what_a_process_needs_and_gives_nothing_away() -> None:
    services = COMPOSE["services"]
    for name in ("web", "worker", "beat"):
        needs = services[name]["depends_on"]
        assert needs["init"]["condition"] == "service_completed_successfully"
        assert needs["valkey"]["condition"] == "service_healthy"
    for name in APP:
        assert services[name]["cap_drop"] == ["ALL"]
        assert services[name]["read_only"] is True
        assert "data:/data" in services[name]["volumes"]
        assert ("healthcheck" in services[name]) == (name != "web"), "the image's check is for the web process"
    assert set(COMPOSE["volumes"]) == {"data", "postgres", "valkey"}
    assert [port for service in services.values() for port in service.get("ports", [])] == [
        "127.0.0.1:${BENCH_PORT:-8122}:${BENCH_PORT:-8122}"
    ]


def test_kubernetes_asks_the_web_process_how_it_is_and_lets_it_finish() -> None:
    pod = pods()["web"]
    (web,) = pod["containers"]
    paths = {probe: web[probe]["httpGet"]["path"] for probe in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert paths == {
        "startupProbe": "/health/live",
        "livenessProbe": "/health/live",
        "readinessProbe": "/health/ready",
    }
    pause = int(web["lifecycle"]["preStop"]["exec"]["command"][1])
    limit = read_environment({}).drain_s + PARTING_S
    assert pod["terminationGracePeriodSeconds"] > pause + limit, "the pause, what open streams have, and some"
    (port,) = web["ports"]
    settings = kubernetes()["ConfigMap", "benchwarmers"]["data"]
    assert str(port["containerPort"]) == settings["BENCH_PORT"]
    service = kubernetes()["Service", "benchwarmers"]["spec"]
    labels = kubernetes()["Deployment", "benchwarmers-web"]["spec"]["template"]["metadata"]["labels"]
    assert service["selector"].items() <= labels.items()
    assert service["ports"][0]["targetPort"] == port["name"]


def test_only_one_beat_runs_at_a_time() -> None:
    beat = kubernetes()["Deployment", "benchwarmers-beat"]["spec"]
    assert (beat["replicas"], beat["strategy"]) == (1, {"type": "Recreate"})


@pytest.mark.parametrize("name", APP)
def test_a_pod_is_nobody_special_and_has_its_settings(name: str) -> None:
    pod = pods()[name]
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] == NOBODY
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert pod["enableServiceLinks"] is False, "a service's own variables could be taken for ours"
    kinds = {("ConfigMap", "configMapRef"), ("Secret", "secretRef")}
    assert all(
        (kind, container["envFrom"][at][ref]["name"]) in kubernetes() for at, (kind, ref) in enumerate(sorted(kinds))
    )
    mounted = {volume["name"] for volume in pod["volumes"]}
    assert {mount["name"] for mount in container["volumeMounts"]} == mounted


def test_the_list_of_kubernetes_names_every_file() -> None:
    (listed,) = (one for (kind, _), one in kubernetes().items() if kind == "Kustomization")
    there = {path.name for path in (DEPLOY / "kubernetes").glob("*.yaml")} - {"kustomization.yaml"}
    assert {name.replace("secret.yaml", "secret.example.yaml") for name in listed["resources"]} == there


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_variables_in_it_are_those_that_are_read(path: Path) -> None:
    assert set(VARIABLE.findall(path.read_text())) - documented() == set()


@pytest.mark.parametrize("unit", [path for path in UNITS if path.suffix == ".service"], ids=lambda path: path.name)
def test_a_unit_is_nobody_special_and_keeps_its_data_where_the_others_look(unit: Path) -> None:
    lines = unit.read_text().splitlines()
    for wanted in (
        "User=benchwarmers",
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "StateDirectory=benchwarmers",
        "Environment=BENCHWARMERS_HOME=/var/lib/benchwarmers",
        "EnvironmentFile=-/etc/benchwarmers/environment",
    ):
        assert wanted in lines
