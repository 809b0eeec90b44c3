# `make run` and `make test` need Python and make; everything else they fetch into .venv.

PYTHON ?= python3
PORT ?= 8000
CHECK ?=
BENCH ?=

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PINNED := $(VENV)/.pinned
ARCHIVE := build/samples
PIP := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check

.PHONY: help run test lint format bench clean

help:
	@echo 'make run      index the sample logs and serve them on http://127.0.0.1:$(PORT)/'
	@echo '              (PORT=8001 another port, CHECK=1 ask the first page once and stop)'
	@echo 'make test     format, lint, types, imports, and all tests'
	@echo 'make lint     the same without the tests'
	@echo 'make format   put the code into its one format'
	@echo 'make bench    measure, beside python-chess, pokerkit and SQLite; a part of it is an archive of'
	@echo '              a million hands, made once (BENCH="--million 20000" a smaller one)'
	@echo 'make clean    remove .venv and everything built'

run: $(READY)
	@echo 'The logs under sample_logs/*/broken are broken on purpose: what is said of them below is as it should be.'
	@$(BIN)/paipu index $(ARCHIVE) sample_logs
ifeq ($(CHECK),1)
	@$(BIN)/python -m tests.served $(BIN)/paipu view $(ARCHIVE) --port $(PORT)
else
	@exec $(BIN)/paipu view $(ARCHIVE) --port $(PORT)
endif

test: lint
	@$(BIN)/python -m tests.chromium
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

lint: $(READY)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(READY)
	@$(BIN)/python -m tests.bench $(BENCH)

clean:
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

# Two stamps: changed pins make .venv anew, a changed pyproject.toml only reinstalls the project.
$(PINNED): .ci/constraints.txt
	@$(PYTHON) -c 'import sys; v = sys.version.split()[0]; sys.exit(sys.version_info < (3, 11) \
		and f"paipu needs Python 3.11 or newer, $(PYTHON) is {v}: make PYTHON=python3.12 …")'
	@echo 'Making $(VENV) …'
	@$(PYTHON) -m venv --clear $(VENV)
	@$(PIP) install --requirement .ci/constraints.txt
	@touch $@

$(READY): $(PINNED) pyproject.toml
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@
