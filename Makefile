# `make help` lists what there is. PYTHON chooses the interpreter, PYTEST_ARGS adds to pytest's own.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
OPFIRE := $(BIN)/opfire
CHROMIUM := /usr/bin/chromium
# The same without windows, which does the browser tests with two thirds of the work.
HEADLESS := /usr/bin/chromium-headless-shell
PYTEST_ARGS ?=
PLAY_ARGS ?=
RULESETS ?= case-orange panzer-grenadier panzerblitz-miniatures panzer micro-armour
SOAK_GAMES ?= 2000
SOAK_PLAYED ?= 200
BALANCE_GAMES ?= 100
SEED ?= 1

# Records are played again under another version of Python too: the newest that is here, unless it is named.
OTHER_PYTHON ?=
export OTHER_PYTHON

# What is compiled is kept, whatever the shell says: the tests start the program more than a hundred times.
export PYTHONDONTWRITEBYTECODE :=

# pytest's closing line is said again at the very end: the coverage and its page rest on what the tests noted.
PYTEST_LOG := build/pytest.log

STATIC := src/opfire/server/static
WEB_SOURCES := $(shell find web -type f -not -path '*/node_modules/*' -not -path '*/.*cache*/*' 2>/dev/null)
SCENARIO_FILES = $(shell find src/opfire/scenarios -name '*.toml' 2>/dev/null | sort)

# --- set-up: each stamp is made anew when what it rests on has changed ---

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "Opfire needs Python 3.11 or later; name one with: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements/run.txt requirements/build.txt pyproject.toml | $(BIN)/python
	$(PIP) install -q -r requirements/run.txt -r requirements/build.txt
	$(PIP) install -q --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.run
	$(PIP) install -q -r requirements/dev.txt
	@touch $@

web/node_modules/.installed: web/package.json web/package-lock.json
	@command -v npm >/dev/null || { echo "Building the client needs Node 20 or later (the wheel does not)."; exit 1; }
	cd web && npm ci --no-audit --no-fund
	@touch $@

$(STATIC)/index.html: web/node_modules/.installed $(WEB_SOURCES)
	cd web && npm run build
	@touch $@

.PHONY: setup
setup: $(VENV)/.dev ## the virtual environment, with all that work on Opfire needs

.PHONY: client
client: $(STATIC)/index.html ## the browser client, when its sources have changed

# When Chromium cannot be had the browser tests fail and say so: nothing is skipped.
.PHONY: chromium
chromium:
	@if [ ! -x $(CHROMIUM) ] || [ ! -x $(HEADLESS) ]; then \
	    as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
	    { $$as_root apt-get update -q && \
	      $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium \
	          chromium-headless-shell; } \
	    || [ -x $(CHROMIUM) ] || echo "No $(CHROMIUM), and it cannot be installed here: the browser tests will fail."; \
	fi

# --- to play ---

.PHONY: play
play: $(VENV)/.run client ## set up, then open the table; its address is printed
	$(OPFIRE) serve $(PLAY_ARGS)

.PHONY: wheel
wheel: setup client ## a wheel with the client inside, in dist/
	$(BIN)/python -m build --wheel --no-isolation --outdir dist

# --- to check ---

.PHONY: test
test: setup client chromium lint web-check check-data pytest rules docs ## all that a change must pass
	@tail -n 1 $(PYTEST_LOG)

.PHONY: lint
lint: setup ## format, lint, types, import arrows, English, message catalogues
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --strict src
	$(BIN)/lint-imports
	$(BIN)/python tools/english.py
	$(BIN)/python tools/catalogues.py

.PHONY: web-check
web-check: web/node_modules/.installed ## the client's lint, types and unit tests
	cd web && npm run lint
	cd web && npm run check
	cd web && npm test

.PHONY: rules
rules: setup ## every rule by number: where it is implemented, where tested
	$(OPFIRE) rules coverage

.PHONY: check-data
check-data: setup ## every scenario and board that comes with Opfire
	$(OPFIRE) check $(SCENARIO_FILES)

.PHONY: docs
docs: setup ## the documentation site, in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

.PHONY: pytest
pytest: setup client chromium ## the tests alone, browser tests included
	@mkdir -p $(dir $(PYTEST_LOG))
	$(BIN)/python -m pytest -n 2 --dist loadgroup $(PYTEST_ARGS) | tee $(PYTEST_LOG)

.PHONY: soak
soak: setup client chromium ## the long tests, $(SOAK_GAMES) random games, as many with all options, and $(SOAK_PLAYED) of greedy
	$(BIN)/python -m pytest -m soak $(PYTEST_ARGS)
	for ruleset in $(RULESETS); do \
	  $(OPFIRE) fuzz $$ruleset --games $(SOAK_GAMES) --seed $(SEED) && \
	  $(OPFIRE) fuzz $$ruleset --games $(SOAK_GAMES) --seed $(SEED) --options all && \
	  $(OPFIRE) fuzz $$ruleset --games $(SOAK_PLAYED) --seed $(SEED) --player greedy || exit 1; \
	done

.PHONY: mutants
mutants: setup ## take the rules out one by one; a test must see each
	for ruleset in $(RULESETS); do $(OPFIRE) mutants $$ruleset; done

# --- to measure ---

.PHONY: balance
balance: setup ## computer against equal computer in every scenario
	$(OPFIRE) balance --games $(BALANCE_GAMES) --seed $(SEED)

.PHONY: bench
bench: setup ## the speeds of docs/performance.md; leave the machine alone meanwhile
	$(OPFIRE) bench

.PHONY: bench-web
bench-web: setup client chromium ## the page's speeds, in a browser; leave the machine alone meanwhile
	PYTHONPATH=tests $(BIN)/python benchmarks/web/measure.py

.PHONY: bench-server
bench-server: setup ## how soon the server answers two players; leave the machine alone meanwhile
	PYTHONPATH=tests $(BIN)/python benchmarks/server/measure.py

.PHONY: bench-table
bench-table: setup ## the free table's geometry; leave the machine alone meanwhile
	$(BIN)/python benchmarks/table/measure.py

# --- to work ---

.PHONY: pictures
pictures: setup client chromium ## the pictures of the guide, taken anew; look at them
	OPFIRE_KEEP_PICTURES=1 $(BIN)/python -m pytest -q tests/browser/test_guide.py

.PHONY: format
format: setup web/node_modules/.installed ## put Python and the client into the house format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	cd web && npm run format

LOCK := $(BIN)/python -m piptools compile --quiet --strip-extras --no-header \
    --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options

.PHONY: lock
lock: setup ## choose anew the versions in requirements/
	$(PIP) install -q pip-tools
	$(LOCK) --upgrade --output-file requirements/run.txt pyproject.toml
	$(LOCK) --upgrade --extra dev --constraint requirements/run.txt \
	    --output-file requirements/dev.txt pyproject.toml
	printf '%s\n' hatchling editables | $(LOCK) --upgrade --constraint requirements/dev.txt \
	    --output-file requirements/build.txt -

.PHONY: clean
clean: ## all that was built or installed here; games in databases stay
	rm -rf $(VENV) $(STATIC) web/node_modules dist build site .hypothesis
	rm -rf .mypy_cache .pytest_cache .ruff_cache .import_linter_cache test-results
	find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) \
	    | sed 's/$$(SOAK_GAMES)/$(SOAK_GAMES)/; s/$$(SOAK_PLAYED)/$(SOAK_PLAYED)/' \
	    | while IFS='|' read -r name words; do printf 'make %-12s %s\n' "$$name" "$$words"; done
