# The whole developer interface; continuous integration calls the same targets.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.DEFAULT_GOAL := help
.PHONY: help env demo test test-slow check format bench docs clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "%-10s %s\n", $$1, $$2}'

# The stamp is renewed only when an installation went through to the end.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $(READY)

env: $(READY) ## create .venv with the pinned development versions

demo: $(READY) ## select features from embedded data, print the ranking, write a report
	$(BIN)/python examples/demo.py

test: $(READY) ## the fast suite, doctests included
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

test-slow: $(READY) ## the scientific checks that take minutes
	$(BIN)/python -m pytest -m slow

check: $(READY) ## formatting, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(READY) ## rewrite the sources in the house format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY) ## measure speed on this machine, into results/
	$(BIN)/snelfs bench speed

docs: $(READY) ## build the site into docs/_build/html
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html

clean: ## remove the environment and everything generated
	rm -rf .venv docs/_build build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
