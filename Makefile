# `make demo` and `make test` do all set-up by themselves; they need Python 3.11 or later and make, nothing else.

PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$python"; break; }; done)
BIN := .venv/bin
READY := .venv/.ready
PACKAGES := packages/sekisho services/knowledge_search

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help setup demo serve test check format bench lock clean

help:  ## Show what can be made
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile

setup: $(READY)  ## Make .venv with everything pinned

$(READY): requirements/dev.txt $(PACKAGES:%=%/pyproject.toml)
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Python 3.11 or later is needed. / Python 3.11 以降が必要です。" >&2; exit 2; }
	@echo "Setting up .venv (once; about a minute, 1.2 GB) / .venv を準備しています（初回のみ、約 1 分、1.2 GB）"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv || { rm -rf .venv; \
		echo "python -m venv failed; on Debian and Ubuntu install python3-venv." >&2; exit 2; }
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements/dev.txt
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation $(PACKAGES:%=-e %)
	@touch $@

demo: $(READY)  ## Compare the reference retrievers, run the gate, then break search on purpose
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m eval.demo

serve: $(READY)  ## Start the knowledge search on this machine, with the sample documents
	@$(BIN)/knowledge-search serve --samples samples --demo-key hr

test: $(READY)  ## Run the tests
	@$(BIN)/python -m pytest -q -n auto --maxprocesses 4

check: $(READY)  ## Lint, types, layers, sizes
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m eval.sizes

format: $(READY)  ## Format the code
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format --quiet .

bench: $(READY)  ## Measure against peers; needs a few minutes and installs them
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements/bench.txt
	@$(BIN)/python benchmarks/run.py

lock:  ## Pin the dependencies anew (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url requirements/dev.in -o requirements/dev.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url -c requirements/dev.txt requirements/bench.in -o requirements/bench.txt

clean:  ## Remove what was made
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
