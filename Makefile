# Every target works from a clean checkout, from any folder (make -C PATH ...) and without a terminal.
.DEFAULT_GOAL := help
.PHONY: help venv dev up test coverage check lint fmt types imports migrations lock bench bench-quick fuzz pages-bench growth-bench chaos soak docs \
	audit wheel messages node test-clients agents test-agents test-exports test-hubs test-inference test-original test-mcp test-deploy suite-demo pictures clean

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	"$$p" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' >/dev/null 2>&1 && { echo "$$p"; break; }; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input --quiet
WORKERS ?= 3
FLOOR ?= 90
MINUTES ?= 10
SEED ?= 0

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

# What an installed copy has as `bench`; it may be started from any folder, or linked to from one of PATH.
$(BIN)/bench: Makefile | $(BIN)/python
	@printf '#!/bin/sh\nPYTHONPATH="%s$${PYTHONPATH:+:$$PYTHONPATH}" exec "%s/$(BIN)/python" -P -m benchwarmers.cli "$$@"\n' \
		"$(CURDIR)" "$(CURDIR)" > $@ && chmod +x $@

venv: .venv/installed $(BIN)/bench ## make the virtual environment with what the product needs

dev: .venv/installed-dev $(BIN)/bench ## add what tests, types and lint need

up: .venv/installed $(BIN)/bench ## run everything on this machine until Ctrl-C
	@exec $(BIN)/python manage.py up

test: dev ## lint, types, contracts, migrations, and every test
	@$(MAKE) --no-print-directory -j2 check
	$(BIN)/python -m pytest -q -n $(WORKERS)

coverage: dev ## every test, with the lines that none of them reached and a floor for them
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

wheel: dev ## make the wheel and the source package in dist/
	$(BIN)/python -m hatchling build

messages: venv ## gather the words of the pages for a language and compile what is translated: make messages TO=de
	@command -v xgettext >/dev/null || { echo "This needs xgettext and its relatives. Install gettext (Debian: apt install gettext)."; exit 1; }
	@test -n "$(TO)" || { echo "Say which language: make messages TO=de"; exit 1; }
	@mkdir -p benchwarmers/locale
	$(BIN)/python manage.py makemessages --locale $(TO) --add-location file --no-wrap --ignore tests --ignore '*.venv*' --ignore build
	$(BIN)/python manage.py compilemessages --locale $(TO) --ignore '*.venv*'

bench: dev ## measure what the gateway adds beside minimal servers, and write docs/performance.md (7 minutes); BESIDE="--original --litellm" for more
	$(BIN)/python -m bench --json docs/performance.json $(BESIDE)
	$(BIN)/python -m bench page

bench-quick: dev ## a turn and a stream beside the minimal relay (one minute); fails when a limit is passed
	$(BIN)/python -m bench quick

chaos: dev ## kill and pause every process under load for ten minutes, and account for everything; CHAOS="--seconds 60 --seed 7"
	$(BIN)/python -m benchwarmers.tests.chaos $(CHAOS)

soak: dev ## an hour of callers who leave or read slowly: does memory rise? SOAK="--seconds 1500"
	$(BIN)/python -m benchwarmers.tests.chaos.soak $(SOAK)

fuzz: dev ## attack every parser and every page for some minutes: make fuzz MINUTES=10 SEED=1
	$(BIN)/python -m benchwarmers.tests.hostile.fuzz --minutes $(MINUTES) --seed $(SEED)
	FUZZ_PAGES=3000 FUZZ_SEED=$(SEED) $(BIN)/pytest -q -s -n 0 -p no:randomly --show-capture=no benchwarmers/tests/hostile/test_pages.py

pages-bench: dev ## fill SQLite and Postgres with a million calls and measure every page, then in Chromium (15 minutes, 3 GB)
	$(BIN)/python -m benchwarmers.tests.performance.big measure
	$(BIN)/python -m benchwarmers.tests.performance.big paint

growth-bench: dev ## fill Postgres with ten million calls; measure pages, hot queries, turns and retention (20 minutes, 9 GB)
	$(BIN)/python -m benchwarmers.tests.performance.big growth --size grown $(GROWTH)

docs: dev ## build the documents as pages into build/docs; a link that leads nowhere stops it
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --clean
	@echo "build/docs/index.html"

suite-demo: venv ## run the practice squad through the suite, print the table and draw docs/images/suite-demo.svg
	$(BIN)/python -m suite.demo

pictures: dev ## take the pictures of the documents anew, with Debian's chromium
	$(BIN)/python -m benchwarmers.tests.pages.camera

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

test-original: dev ## have the original's own command line and context protocol client work against this server
	$(BIN)/pytest -q -n 0 -p no:randomly benchwarmers/tests/servers/real_original.py

test-mcp: dev ## have the context protocol's inspector and newest library list and call everything, then ask for 7 minutes
	$(BIN)/pytest -q -n 0 -s -p no:randomly benchwarmers/tests/live/real_inspector.py \
		benchwarmers/tests/live/real_long_panel.py

test-deploy: dev ## have systemd, docker compose and kubectl judge the deployment files; install them first
	$(BIN)/pytest -q -n 0 -p no:randomly benchwarmers/tests/packaging/real_tools.py

test-exports: dev ## have inspect_ai and promptfoo read what the suite writes; name them as the file says
	$(BIN)/pytest -q -n 0 -p no:randomly suite/tests/exports/real_readers.py

test-inference: dev ## take a model on from llama.cpp's own server (installs it built, some MB)
	$(BIN)/pytest -q -n 0 -p no:randomly benchwarmers/tests/servers/real_inference.py

clean: ## remove the virtual environments and caches (never the data folder)
	rm -rf .venv .node .clients dist .mypy_cache .ruff_cache .pytest_cache .coverage .coverage.*
