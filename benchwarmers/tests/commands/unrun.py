"""Printed commands that no test runs, by the reason why. Each line is looked at by whoever adds to it."""

from __future__ import annotations

from typing import Final

MAKES = "makes or fills an environment of its own; continuous integration does it (.ci/run)"
STARTS = "stays until Ctrl-C; tests/up, tests/live and tests/cli start the same"
AGENT = "needs the agent's program: `make test-agents` runs it, and tests/agents compares the page with that"
HOURS = "measures for minutes, on request"
DOCKER = "needs a container engine: `make test-deploy` has it judge the files"
ROOT_ONLY = "changes the machine as root: `make test-deploy` has systemd judge the files"
CLUSTER = "needs a cluster: `make test-deploy` has kubectl judge the files"
VARIABLES = "sets variables, which tests/house/test_docs.py holds to what is read"
POSTGRES = "needs a Postgres at this address: tests/backup restores the same file on one"
PUBLISHED = "installs the program for good; tests/packaging installs the same wheel"
PULLS = "changes the clone itself"
ENDS = "is sent to a process by its number; tests/up sends it"
ONBOARDS = "needs a provider that lists these models: tests/cli/test_onboard.py asks a scripted one"
PASSES = "asks every task: tests/live/test_suite_pass.py runs a pass"
ORIGINAL = "is for servers of the original: tests/cli asks a scripted one"
HELPS = "prints the help of a command of manage.py, from which docs/reference/commands.md is made"

UNRUN: Final[tuple[tuple[str, str, str], ...]] = (
    (r"CONTRIBUTING\.md", r"make (dev|check|test)\b", MAKES),
    (r".*", r"make up\b", STARTS),
    (r".*", r"export (\w+=\S+ ?)+( *#.*)?", VARIABLES),
    (r"README\.md|docs/(agents|mcp)\.md", r"(\w+=\S+ )*(claude|gemini|qwen|cline|aider|goose|codex|opencode)\b", AGENT),
    (r"docs/agents\.md", r"make test-agents\b", AGENT),
    (
        r"docs/(performance|growth|reliability|security|scaling)\.md",
        r"make |(\.venv/bin/)?python -m (bench|benchwarmers\.tests)\b",
        HOURS,
    ),
    (r"docs/scaling\.md", r"python -m benchwarmers\.(up|background) ", STARTS),
    (r"docs/scaling\.md", r"BENCH_WEB_PROCESSES=\d+ .* bench up", STARTS),
    (r"docs/scaling\.md", r"kill -HUP ", ENDS),
    (r"docs/deploy\.md", r"make wheel|uvx |pipx ", PUBLISHED),
    (r"docs/deploy\.md", r"docker ", DOCKER),
    (r"docs/deploy\.md", r"sudo |journalctl ", ROOT_ONLY),
    (r"docs/deploy\.md", r"cd docs/deploy/kubernetes|cp secret\.example\.yaml|kubectl ", CLUSTER),
    (r"docs/backup\.md", r"DATABASE_URL=postgres://", POSTGRES),
    (r"docs/team\.md", r"git pull", PULLS),
    (r"docs/cli\.md", r"bench (up|serve|gateway|mcp)$", STARTS),
    (r"docs/cli\.md", r"bench onboard \S+/|bench onboard llama", ONBOARDS),
    (r"docs/cli\.md", r"bench settings client ", ORIGINAL),
    (r"docs/cli\.md", r"bench suite run ", PASSES),
    (r"docs/cli\.md", r"bench suite \S+ --help", HELPS),
)
"""(page, how the command begins, why), both as patterns."""
