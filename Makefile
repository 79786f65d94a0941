# Every target works from a clean checkout, from any folder (make -C PATH ...) and without a terminal.
.DEFAULT_GOAL := help
.PHONY: help venv dev up test check lint fmt types imports migrations lock bench \
	audit node test-clients agents test-agents test-exports test-hubs test-inference suite-demo clean

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	"$$p" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' >/dev/null 2>&1 && { echo "$$p"; break; }; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input --quiet
WORKERS ?= 2
FLOOR ?= 90

help: ## say what the targets do
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' Makefile

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Benchwarmers needs Python 3.11, 3.12 or 3.13 with venv and ensurepip; none was found. Install one (Debian: apt install python3 python3-venv) or say which: make PYTHON=/path/to/python3.12 up"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/installed: requirements.txt | $(BIN)/python
	$(PIP) install --require-hashes -r requirements.txt
	@touch $@

.venv/installed-dev: requirements-dev.txt .venv/installed | $(BIN)/python
	$(PIP) install --require-hashes -r requirements-dev.txt
	@touch $@

venv: .venv/installed ## make the virtual environment with what the product needs

dev: .venv/installed-dev ## add what tests, types and lint need

up: .venv/installed ## run everything on this machine until Ctrl-C
	@exec $(BIN)/python manage.py up

test: check ## lint, types, contracts, migrations, and every test with the coverage floor
	rm -f .coverage .coverage.*
	$(BIN)/coverage run -m pytest -q -n $(WORKERS)
	$(BIN)/coverage combine -q
	$(BIN)/coverage report --fail-under=$(FLOOR)

check: lint types imports migrations ## everything of `make test` that runs no test

lint: dev ## style and formatting, without changing anything
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

fmt: dev ## format and apply the safe fixes
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: dev ## mypy, strict
	$(BIN)/mypy

imports: dev ## the direction of imports
	$(BIN)/lint-imports --no-cache

migrations: dev ## every model change has its migration
	$(BIN)/python manage.py makemigrations --check --dry-run --settings benchwarmers.tests.settings

lock: dev ## pin requirements*.in again, with hashes, and note which .in each lock was made from
	$(BIN)/python -m benchwarmers.tests.house.lock

audit: dev ## look up what is locked in the database of known holes; needs the network
	$(BIN)/pip-audit --requirement requirements.txt --require-hashes --disable-pip --progress-spinner off

bench: dev ## measure start-up time and idle memory
	$(BIN)/pytest -q -s -p no:randomly benchwarmers/tests/up/test_weight.py

suite-demo: venv ## run the practice squad through the suite, print the table and draw docs/images/suite-demo.svg
	$(BIN)/python -m suite.demo

node: dev ## fetch the JavaScript libraries that tests use (Node 18 or newer)
	$(BIN)/python -m benchwarmers.tests.live.js.packages

test-clients: dev ## ask a fresh installation with five client libraries, each in an environment of its own
	$(BIN)/python -m benchwarmers.tests.clients

agents: dev ## install the agent programs of `make test-agents`, where they are not there yet
	$(BIN)/python -m benchwarmers.tests.agents.install

test-agents: dev ## have every installed agent program edit a file through a fresh installation
	$(BIN)/python -m benchwarmers.tests.agents $(AGENTS)

test-hubs: dev ## take models on through a real Open WebUI and a real LiteLLM (installs both, some GB)
	$(BIN)/pytest -q -n 0 -p no:randomly benchwarmers/tests/servers/real_litellm.py \
		benchwarmers/tests/servers/real_openwebui.py

test-exports: dev ## have inspect_ai and promptfoo read what the suite writes; name them as the file says
	$(BIN)/pytest -q -n 0 -p no:randomly suite/tests/exports/real_readers.py

test-inference: dev ## take a model on from llama.cpp's own server (installs it built, some MB)
	$(BIN)/pytest -q -n 0 -p no:randomly benchwarmers/tests/servers/real_inference.py

clean: ## remove the virtual environments and caches (never the data folder)
	rm -rf .venv .node .clients .mypy_cache .ruff_cache .pytest_cache .coverage .coverage.*
