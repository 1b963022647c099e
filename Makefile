# make score     install, score a bundled photo, write build/scored.png
# make test      install, then lint, types, layers and tests
# make evaluate  measure the reading on the bundled photos with truth
PYTHON ?= python3
PHOTO ?= datasets/samples/board_1.jpg
SET ?= datasets/samples
PIP = python -m pip install --quiet --disable-pip-version-check

.PHONY: score test lint types evaluate train-env bpy-env clean

score: .venv/base
	@test -n "$(PHOTO)" || { echo "No photo in datasets/samples; give one: make score PHOTO=my.jpg" >&2; exit 2; }
	@mkdir -p build
	.venv/bin/boardsnap score "$(PHOTO)" --overlay build/scored.png

test: lint types
	.venv/bin/python -m pytest

lint: .venv/dev
	.venv/bin/ruff check .
	.venv/bin/lint-imports

types: .venv/dev
	.venv/bin/mypy

evaluate: .venv/base
	.venv/bin/boardsnap evaluate "$(SET)"

# A second environment with torch, about 6 GB: training and exporting only.
train-env: .venv-train/ready

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/base: pyproject.toml | .venv/bin/python
	.venv/bin/$(PIP) --editable .
	@touch $@

.venv/dev: pyproject.toml | .venv/bin/python
	.venv/bin/$(PIP) --editable ".[dev]"
	@touch $@ .venv/base

.venv-train/ready: pyproject.toml
	$(PYTHON) -m venv .venv-train
	.venv-train/bin/$(PIP) --editable ".[train,dev]"
	@touch $@

# A third environment with Blender as a module (374 MB), for path-traced photos. It wants Python 3.11 and numpy < 2.
BPY_BASE ?= python3.11
bpy-env: .venv-bpy/ready

.venv-bpy/ready:
	$(BPY_BASE) -m venv .venv-bpy
	.venv-bpy/bin/$(PIP) "bpy==5.0.1" "numpy<2"
	@touch $@

clean:
	rm -rf .venv .venv-train .venv-bpy build
