# The whole developer interface; continuous integration calls the same targets.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.DEFAULT_GOAL := help
.PHONY: help env demo test test-slow test-wheel test-lowest test-mutants coverage check format bench docs clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "%-13s %s\n", $$1, $$2}'

# The stamp is renewed only when an installation went through to the end.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $(READY)

env: $(READY) ## create .venv with the pinned development versions

demo: $(READY) ## select features from embedded data, print the ranking, write a report
	$(BIN)/python examples/demo.py

# Two processes on two cores: threads of BLAS would only wait for each other.
SUITE := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 \
  $(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

test: $(READY) ## the fast suite, doctests included
	$(SUITE)

test-slow: $(READY) ## the scientific checks that take minutes
	$(BIN)/python -m pytest -m slow

test-wheel: ## the wheel in a fresh environment outside the repository, without extras and with [cli]
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && set -e && \
	$(PYTHON) -m venv $$folder/env && pip="$$folder/env/bin/python -m pip --quiet" && \
	$$pip wheel --no-deps --wheel-dir $$folder . && cp tests/installed.py $$folder && cd $$folder && \
	$$pip install ./*.whl && env/bin/python installed.py bare && \
	$$pip install "$$(ls ./*.whl)[cli]" && env/bin/python installed.py cli

# Without what is compared with PyTorch, which is of one version, and not to be had in a lowest one. The oldest
# releases use what the newest of their own dependencies deprecate.
LOWEST := build/lowest
test-lowest: ## the suite on the lowest versions that pyproject.toml promises
	$(PYTHON) -m venv --clear $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet uv
	$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct \
	  --editable '.[cli,cluster,data,test]'
	OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 SNELFS_CACHE=$(LOWEST)/cache $(LOWEST)/bin/python -m pytest \
	  --numprocesses 2 --dist loadfile -W ignore::DeprecationWarning \
	  $(addprefix --ignore=tests/layer/test_,flax.py equinox.py) \
	  $(addprefix tests/,foundation data engine layer datasets tables search estimators plots selection cli)

test-mutants: $(READY) ## change the mathematics sign by sign, and show which changes no test notices (hours)
	$(BIN)/python -m pip install --quiet --editable '.[mutants]'
	$(BIN)/python tests/mutants.py $(MODULES)

coverage: $(READY) ## lines and branches that the fast suite runs
	$(SUITE) --cov --cov-report=term

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
