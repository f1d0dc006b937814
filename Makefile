# From a fresh clone with Python 3, a C++ compiler and make: `make demo`, `make test`. Each target fetches
# what it needs and no more: `make demo` and `make build` fetch nothing that only tests and checks use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
SET := --config-settings=cmake.define.DAGSCAPE_

# Compiled Python is kept, also in containers that ask otherwise: each test process, and each that a test starts,
# would translate all that it imports again.
unexport PYTHONDONTWRITEBYTECODE

ENGINE := $(shell find core bindings -type f) CMakeLists.txt pyproject.toml
# The editable install knows the package's files by name: a new or moved one shows in its folder's time.
FOLDERS := $(shell find src -type d -not -name __pycache__)

.PHONY: demo test quick long check docs build format stub sanitize compare data reproduce wheel clean

demo: build
	$(BIN)/dagscape demo

test: $(VENV)/tools build
	$(BIN)/python -m pytest -n auto

# For somebody who edits: what needs no other process and no long computation. Folders where all is slow are not read.
quick: $(VENV)/tools build
	$(BIN)/python -m pytest -n auto -m "not long and not slow" \
		$(addprefix --ignore=tests/,agreement browser integration)

# Before a release, beside `make sanitize` and `make compare`: far more damaged files, Ctrl-C at far more moments,
# answers of slow oracles made again; then all tests once more, in another order, on all random cases, with their
# work counted.
long: $(VENV)/tools build
	$(BIN)/python -m pytest -n auto -m long
	$(BIN)/python -m pytest -n auto --whole --count-work --shuffle 1

check: $(VENV)/tools build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(filter %.cpp %.hpp,$(ENGINE))
	$(BIN)/mypy
	$(BIN)/python tools/check_imports.py
	$(BIN)/python tools/check_tests.py
	$(BIN)/python tools/check_stub.py

docs: $(VENV)/tools $(VENV)/docs build
	$(BIN)/sphinx-build -W --keep-going --quiet docs build/docs
	@echo "open build/docs/index.html"

format: $(VENV)/tools
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format --quiet .
	$(BIN)/clang-format -i $(filter %.cpp %.hpp,$(ENGINE))

stub: $(VENV)/tools build
	$(BIN)/python tools/check_stub.py --write

build: $(VENV)/built

$(VENV)/made: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP_INSTALL) --upgrade "pip>=25.1"
	touch $@

$(VENV)/tools: $(VENV)/made
	$(BIN)/python $(PIP_INSTALL) --group build --group test --group check
	touch $@

$(VENV)/docs: $(VENV)/tools
	$(BIN)/python $(PIP_INSTALL) --group docs
	touch $@

# Where nobody develops, what builds (CMake alone: 86 MB) is fetched to a place that is gone afterwards, and files of
# a folder are compiled together, which takes the processor less time once, and more after every edit.
$(VENV)/built: $(VENV)/made $(ENGINE) $(FOLDERS)
	$(BIN)/python $(PIP_INSTALL) --editable . --config-settings=build-dir=build/release \
		$$(if [ -e $(VENV)/tools ]; then echo --no-build-isolation $(SET)TOGETHER=OFF $(SET)WARNINGS_AS_ERRORS=ON; \
			else echo $(SET)TOGETHER=ON; fi)
	touch $@

# The engine with address and undefined-behavior sanitizers, in an environment of its own. What they find is
# in build/sanitizer.*, since test processes keep their output to themselves.
SANITIZED := $(VENV)-sanitize
sanitize:
	$(PYTHON) -m venv $(SANITIZED)
	$(SANITIZED)/bin/python $(PIP_INSTALL) --upgrade "pip>=25.1"
	$(SANITIZED)/bin/python $(PIP_INSTALL) --group build --group test
	$(SANITIZED)/bin/python $(PIP_INSTALL) --no-build-isolation --editable . --config-settings=build-dir=build/sanitize \
		--config-settings=cmake.define.DAGSCAPE_SANITIZE=ON
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
		ASAN_OPTIONS=detect_leaks=0:log_path=$(CURDIR)/build/sanitizer \
		UBSAN_OPTIONS=print_stacktrace=1:log_path=$(CURDIR)/build/sanitizer \
		$(SANITIZED)/bin/python -m pytest -n auto

# dagscape beside other tools, in an environment of its own: make compare ARGS=--quick
COMPARED := $(VENV)-compare
compare: $(COMPARED)/built
	$(COMPARED)/bin/python -m benchmarks.compare $(ARGS)

$(COMPARED)/peers: benchmarks/compare/requirements.txt
	$(PYTHON) -m venv $(COMPARED)
	$(COMPARED)/bin/python $(PIP_INSTALL) --upgrade "pip>=25.1"
	$(COMPARED)/bin/python $(PIP_INSTALL) --group build --requirement $<
	touch $@

$(COMPARED)/built: $(COMPARED)/peers $(ENGINE) $(shell find src -type f -name '*.py')
	$(COMPARED)/bin/python $(PIP_INSTALL) --no-build-isolation --config-settings=build-dir=build/compare .
	touch $@

# The data sets of the pages on the papers, in DATA: what is there is checked, what can be had is fetched and made.
DATA ?= build/data
data: build
	$(BIN)/python $(PIP_INSTALL) --group reproduce
	$(BIN)/python reproduce/fetch.py --data $(DATA)

# Tables and figures of those pages, from reproduce/results; to make results again:
# make reproduce DATA=... ARGS="--run kes-table1"; to see which are old: make reproduce ARGS=--list
reproduce: build
	$(BIN)/python $(PIP_INSTALL) --group reproduce
	$(BIN)/python reproduce/pages.py --data $(DATA) $(ARGS)

# Wheels that need no compiler, in dist/: for each Python that is here, repaired, and tried in a fresh environment.
# Other Pythons: make wheel PYTHONS="/opt/python3.11 /opt/python3.13"
PYTHONS ?=
wheel: $(VENV)/made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group wheel
	$(BIN)/python tools/make_wheels.py $(PYTHONS)

clean:
	rm -rf $(VENV) $(SANITIZED) $(COMPARED) build dist
