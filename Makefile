# `make` lists the targets. Every target sets up what it needs; what set-up says goes to stderr.

PYTHON ?= python3
DIST ?= dist
# The times inside archives: the same tree gives the same bytes.
export SOURCE_DATE_EPOCH ?= 1767225600

# Binaries name no folder of the machine that built them. `make` in `make` must not add the flags once more: other
# flags are another build. They cannot be quoted, so a folder with a space in its name stays as it is.
CARGO_HOME_FOLDER := $(or $(CARGO_HOME),$(HOME)/.cargo)
REMAP = $(if $(word 2,$(1)),,--remap-path-prefix=$(1)=$(2))
REMAPS := $(call REMAP,$(CARGO_HOME_FOLDER),/cargo) $(call REMAP,$(CURDIR),/brimful)
export RUSTFLAGS := $(strip $(filter-out $(REMAPS),$(RUSTFLAGS)) $(REMAPS))

BIN := .venv/bin
STAMPS := .venv/stamps
PIP := $(BIN)/python -m pip install --quiet
PYTEST := $(BIN)/python -m pytest
# The suite is to be done in minutes on a machine of two cores. `WORKERS=0` runs it in one process, for a debugger.
# A worker begins with half of the tests in their order, so that what a module keeps for its tests is made once.
WORKERS ?= 2
SUITE = $(PYTEST) --numprocesses $(WORKERS) --dist worksteal
EXTENSION_SOURCES := pyproject.toml Cargo.toml Cargo.lock $(wildcard rust/*/Cargo.toml python/brimful/data/*.bin python/brimful/data/*.gz) \
	$(shell find rust -path '*/src/*' -name '*.rs')
PEERS := .venv-peers
TOKEN_PEERS := .venv-tokens
DEDUP_PEERS := .venv-dedup
DROP_IN_PEERS := .venv-drop-in
FABRA_PEERS := .venv-drop-in-fabra
TEST_READY := $(STAMPS)/install $(STAMPS)/group-test $(STAMPS)/group-references

# The suite comes last, so that its closing line ends the log.
CI_STEPS := lint typecheck test-packaging parity test

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help install run test test-fast test-rust test-python parity fuzz-tokens lint lint-rust lint-python lint-layers \
	typecheck bench bench-select bench-tokens bench-dedup bench-drop-in bench-memory wheels test-packaging ci clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-16s %s\n", $$1, $$2 }'

install: $(STAMPS)/install ## Make .venv and build the package into it, release mode

run: $(STAMPS)/install ## Assemble the example request: context to stdout, explanation to stderr
	@$(BIN)/brimful build examples/requests/declare_war.json --explain

test: test-rust test-python ## All tests: Rust, then the Python suite once a back end

test-fast: $(TEST_READY) ## The fast part of the Python suite, once a back end
	HYPOTHESIS_PROFILE=quick BRIMFUL_BACKEND=rust $(SUITE) -m "not slow and not packaging"
	@# What is left out here starts a process a test.
	HYPOTHESIS_PROFILE=quick BRIMFUL_BACKEND=python $(SUITE) -m "not slow and not packaging and not once" \
		--ignore tests/scripts --ignore tests/cli

test-rust: ## The tests of the Rust core
	cargo test --workspace --locked

test-python: $(TEST_READY) ## The Python suite once a back end, each in its own process
	BRIMFUL_BACKEND=rust $(SUITE) -m "not packaging"
	BRIMFUL_BACKEND=python $(SUITE) -m "not packaging and not once"

parity: $(TEST_READY) ## Rust, twin and naive reference against each other, thoroughly
	HYPOTHESIS_PROFILE=$(if $(CI),steady,thorough) $(SUITE) tests/kernels

# How many hostile strings, and which.
COUNT ?= 1000000
SEED ?= 1
fuzz-tokens: $(TEST_READY) ## Hold exact token counts of COUNT hostile strings against tiktoken
	PYTHONPATH=tests $(BIN)/python scripts/compare_tokens.py --count $(COUNT) --seed $(SEED)

lint: lint-rust lint-python lint-layers ## All linters

lint-rust: ## rustfmt and clippy
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings

lint-python: $(STAMPS)/group-lint ## ruff, as linter and as formatter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

lint-layers: $(STAMPS)/install $(STAMPS)/group-lint ## One direction of imports; no PyO3 under the core
	$(BIN)/lint-imports
	@tree=$$(cargo tree --locked -p brimful-core -e all) || exit 1; \
	case "$$tree" in *pyo3*) echo "brimful-core must not depend on pyo3: cargo tree -p brimful-core -e all" >&2; exit 1;; esac

typecheck: $(TEST_READY) $(STAMPS)/group-lint ## mypy strict, and the stub against the extension
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest brimful.kernels._native

bench: $(TEST_READY) ## Time the kernels, the builder and the import
	BRIMFUL_NUM_THREADS=1 $(PYTEST) benches/python --benchmark-enable --benchmark-only
	$(BIN)/python benches/python/bench_import.py
	cargo bench -p brimful-core --locked

# Settings of the machine's own for OpenBLAS would slow numpy down.
PLAIN_NUMPY := env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 BRIMFUL_NUM_THREADS=1

bench-memory: $(TEST_READY) ## Time searches of card stores beside numpy's product of the same rows
	@$(PLAIN_NUMPY) BRIMFUL_BACKEND=rust PYTHONPATH=benches $(BIN)/python -m compare.memory_search

bench-select: $(PEERS)/ready ## Time selection and TF-IDF beside the libraries that do the same
	@$(PLAIN_NUMPY) BRIMFUL_BACKEND=rust PYTHONPATH=benches $(PEERS)/bin/python -m compare.selection

# A folder of *.txt and *.txt.gz to count (made-up texts without one), and processes a counter.
CORPORA ?=
RUNS ?= 9
bench-tokens: $(TOKEN_PEERS)/ready ## Time exact token counts beside the counters that do the same
	@BRIMFUL_BACKEND=rust RAYON_NUM_THREADS=1 PYTHONPATH=benches:tests \
		$(TOKEN_PEERS)/bin/python -m compare.tokens --corpora '$(CORPORA)' --runs $(RUNS)

# The most texts, of 100, 1k, 10k, 100k and 1m; the most processes a tool; which texts; and where the plot goes.
SIZE ?= 100k
ROUNDS ?= 3
KINDS ?= request corpus sample documentation variants
PLOT ?= benches/near_duplicates.svg
bench-dedup: $(DEDUP_PEERS)/ready ## Time near-duplicates beside the libraries that find them
	@BRIMFUL_BACKEND=rust PYTHONPATH=benches:tests $(DEDUP_PEERS)/bin/python -m compare.dedup.report \
		--largest '$(SIZE)' --rounds $(ROUNDS) --kinds $(KINDS) --plot '$(PLOT)'

bench-drop-in: $(DROP_IN_PEERS)/ready $(FABRA_PEERS)/ready ## Time the drop-in builders beside what they replace
	@BRIMFUL_NUM_THREADS=1 BRIMFUL_BACKEND=rust PYTHONPATH=benches:tests $(DROP_IN_PEERS)/bin/python -m compare.drop_in
	@echo
	@BRIMFUL_NUM_THREADS=1 BRIMFUL_BACKEND=rust PYTHONPATH=benches:tests \
		$(FABRA_PEERS)/bin/python -m compare.drop_in_priority

wheels: $(STAMPS)/group-wheels ## Native wheel, source distribution and pure wheel, in dist/
	rm -f $(DIST)/brimful-*
	$(BIN)/maturin build --release --locked --out $(DIST)
	$(BIN)/maturin sdist --out $(DIST)
	$(BIN)/python scripts/build_pure_wheel.py --out $(DIST)

test-packaging: $(TEST_READY) $(STAMPS)/group-wheels ## Install the sdist and the pure wheel in clean places, test them there
	$(PYTEST) tests/packaging -m packaging

ci: ## Every check, step by step; a failing step names itself
	@begin=$$(date +%s); \
	for step in $(CI_STEPS); do \
		echo "ci: $$step" >&2; start=$$(date +%s); \
		$(MAKE) --no-print-directory $$step || { echo "ci: step \`$$step\` failed" >&2; exit 1; }; \
		echo "ci: $$step passed in $$(($$(date +%s) - start)) s" >&2; \
	done; \
	echo "ci: all steps passed in $$(($$(date +%s) - begin)) s" >&2

clean: ## Remove what the other targets made
	rm -rf .venv $(PEERS) $(TOKEN_PEERS) $(DEDUP_PEERS) $(DROP_IN_PEERS) $(FABRA_PEERS) target dist
	rm -rf .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks
	rm -f python/brimful/kernels/_native*.so python/brimful/kernels/_native*.pyd
	find python tests benches scripts examples -name __pycache__ -prune -exec rm -rf {} +

$(STAMPS)/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "brimful needs Python 3.11 or later; PYTHON=... names another than $(PYTHON)" >&2; exit 1; }
	@echo "brimful: making .venv" >&2
	@$(PYTHON) -m venv .venv >&2
	@$(PIP) 'pip>=25.1' >&2 # the first that installs dependency groups
	@mkdir -p $(STAMPS) && touch $@

# The stamp says that the extension was built, not that it is still there.
ifeq ($(wildcard python/brimful/kernels/_native*.so python/brimful/kernels/_native*.pyd),)
.PHONY: $(STAMPS)/install $(PEERS)/ready $(TOKEN_PEERS)/ready $(DEDUP_PEERS)/ready $(DROP_IN_PEERS)/ready $(FABRA_PEERS)/ready
endif
$(STAMPS)/install: $(STAMPS)/venv $(EXTENSION_SOURCES)
	@command -v cargo >/dev/null || { echo "brimful needs cargo (Rust 1.89 or later) on PATH" >&2; exit 1; }
	@echo "brimful: building the extension and installing it in .venv" >&2
	@$(PIP) -e '.[cli]' >&2
	@touch $@

$(STAMPS)/group-%: $(STAMPS)/venv pyproject.toml
	@echo "brimful: installing the packages for: $*" >&2
	@$(PIP) --group $* >&2
	@touch $@

# Apart from .venv: the peers bring dozens of packages, which no test shall lean on.
$(PEERS)/ready: GROUP := peers
$(DEDUP_PEERS)/ready: GROUP := dedup
$(DROP_IN_PEERS)/ready: GROUP := drop-in
$(FABRA_PEERS)/ready: GROUP := drop-in-fabra
$(PEERS)/ready $(DEDUP_PEERS)/ready $(DROP_IN_PEERS)/ready $(FABRA_PEERS)/ready: $(EXTENSION_SOURCES)
	@echo "brimful: making $(@D)" >&2
	@$(PYTHON) -m venv $(@D) >&2
	@$(@D)/bin/python -m pip install --quiet 'pip>=25.1' >&2
	@$(@D)/bin/python -m pip install --quiet --group $(GROUP) -e . >&2
	@touch $@

# One by one: a counter without a wheel for this system is left out, and the bench says so. tiktoken must be there.
$(TOKEN_PEERS)/ready: $(EXTENSION_SOURCES)
	@echo "brimful: making $(TOKEN_PEERS)" >&2
	@$(PYTHON) -m venv $(TOKEN_PEERS) >&2
	@$(TOKEN_PEERS)/bin/python -m pip install --quiet 'pip>=25.1' >&2
	@$(TOKEN_PEERS)/bin/python -m pip install --quiet --group tokens -e . >&2
	@for group in tokens-bpe-openai tokens-quicktok tokens-gigatoken; do \
		$(TOKEN_PEERS)/bin/python -m pip install --quiet --only-binary :all: --group $$group >&2 || \
		echo "brimful: no wheel, left out: $$group" >&2; \
	done
	@touch $@
