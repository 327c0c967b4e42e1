# What a developer types. Each target makes what it needs; only Python 3.11 or newer and make are assumed.

PYTHON ?= $(shell for python in python3.11 python3.12 python3.13 python3 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
# The real Paddle 2.6.2 has no wheel for newer Pythons.
PADDLE_PYTHON ?= $(shell for python in python3.11 python3.12 python3.10; do \
	$$python -c 'pass' 2>/dev/null && echo $$python && break; done)

BIN := .venv/bin
PADDLE_2 := .venv-paddle-2.6.2
PADDLE_3 := .venv-paddle-3.3.1
PEERS := .venv-peers
# Where pip finds the CPU build of torch, as pip's options: its plain one brings CUDA along.
TORCH_INDEX ?=
# Options of benchmarks/training.py, such as --works mlp,lenet.
TRAINING ?=
PIP := -m pip install --quiet --quiet --disable-pip-version-check
# The tests run in parallel processes, so each takes one thread; every pass is verified. They start
# many more, each of which would compile all modules anew where Python is told to keep no bytecode.
TESTING := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 TWINOAR_CHECK=1 PYTHONDONTWRITEBYTECODE=
PYTEST := $(BIN)/python -m pytest --quiet -n auto --dist worksteal

.PHONY: help setup demo test test-rest test-paddle lint bench docs update clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' $(MAKEFILE_LIST) | expand -t 14

setup: .venv/.setup ## make .venv, with twinoar in it

demo: .venv/.setup ## train a digit classifier, save it, run it
	$(BIN)/python examples/mnist.py

test: .venv/.setup ## each claim, and the examples in the docstrings, in some minutes
	$(TESTING) $(PYTEST) --brief --ignore=tests/paddle

test-rest: .venv/.setup ## the cases that make test leaves out, as tests/brief.py says
	$(TESTING) $(PYTEST) --rest --ignore=tests/paddle tests

test-paddle: .venv/.setup $(PADDLE_2)/.setup $(PADDLE_3)/.setup ## tests against the real Paddle
	$(TESTING) PADDLE_2_PYTHON=$(PADDLE_2)/bin/python PADDLE_3_PYTHON=$(PADDLE_3)/bin/python \
		$(PYTEST) tests/paddle

lint: .venv/.lint ## format, rules and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: .venv/.setup $(PEERS)/.setup $(PADDLE_3)/.setup ## speed, side by side with torch, JAX and Paddle
	$(BIN)/python benchmarks/import_time.py
	$(BIN)/python benchmarks/eager_overhead.py --torch $(PEERS)/bin/python --paddle $(PADDLE_3)/bin/python
	$(BIN)/python benchmarks/training.py --torch $(PEERS)/bin/python --jax $(PEERS)/bin/python \
		--paddle $(PADDLE_3)/bin/python $(TRAINING)
	$(BIN)/python benchmarks/growth.py --torch $(PEERS)/bin/python --jax $(PEERS)/bin/python
	$(BIN)/python benchmarks/exactness.py
	$(BIN)/python benchmarks/memory.py --torch $(PEERS)/bin/python
	$(BIN)/python benchmarks/contention.py --torch $(PEERS)/bin/python
	$(BIN)/python benchmarks/contractions.py
	$(BIN)/python benchmarks/operators.py --torch $(PEERS)/bin/python --paddle $(PADDLE_3)/bin/python
	$(BIN)/python benchmarks/operator_speed.py --torch $(PEERS)/bin/python \
		--paddle $(PADDLE_3)/bin/python --from-ratio 1.5
	$(BIN)/python benchmarks/whole_programs.py
	$(BIN)/python benchmarks/precision.py
	$(BIN)/python benchmarks/compression.py
	$(BIN)/python benchmarks/int8.py --python $(PEERS)/bin/python
	$(BIN)/python benchmarks/weight_only.py
	$(BIN)/python benchmarks/decoding.py
	$(BIN)/python benchmarks/serving.py

docs: .venv/.docs ## the documentation, into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

update: .venv/.setup ## write anew what is generated: outputs in the docs, tables, public names
	$(BIN)/python tests/project/test_public_names.py
	$(BIN)/python tests/project/test_configuration.py
	$(BIN)/python tools/stubs.py
	$(BIN)/python tests/project/test_documents.py
	$(BIN)/python tests/fluid/test_page.py
	$(BIN)/python tests/project/test_api_page.py

clean: ## remove all that the other targets made
	rm -rf .venv .venv-* site build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.setup: pyproject.toml
	@test -n "$(PYTHON)" || { echo "twinoar needs Python 3.11 or newer: make setup PYTHON=..."; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python $(PIP) --editable '.[onednn,demo,test]'
	@touch $@

.venv/.lint: .venv/.setup
	$(BIN)/python $(PIP) --editable '.[lint]'
	@touch $@

.venv/.docs: .venv/.setup
	$(BIN)/python $(PIP) --editable '.[docs]'
	@touch $@

$(PADDLE_2)/.setup:
	@test -n "$(PADDLE_PYTHON)" || { echo "Paddle 2.6.2 needs Python 3.10 to 3.12: make PADDLE_PYTHON=..."; exit 1; }
	$(PADDLE_PYTHON) -m venv $(PADDLE_2)
	$(PADDLE_2)/bin/python $(PIP) paddlepaddle==2.6.2 'numpy<2' 'setuptools<81'
	@touch $@

$(PADDLE_3)/.setup:
	$(or $(PADDLE_PYTHON),$(PYTHON)) -m venv $(PADDLE_3)
	$(PADDLE_3)/bin/python $(PIP) paddlepaddle==3.3.1 'setuptools<81'
	@touch $@

$(PEERS)/.setup:
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python $(PIP) $(TORCH_INDEX) torch==2.13.0 numpy
	$(PEERS)/bin/python $(PIP) jax==0.10.2 jaxlib==0.10.2
	$(PEERS)/bin/python $(PIP) onnx==1.23.2 onnxruntime==1.32.0 openvino==2026.4.1
	@touch $@
