# `make` lists what there is. Every target does the set-up it needs; done once, that takes a second.
SHELL := /bin/bash
PYTHON ?= python3

SETUP := $(PYTHON) requirements/workspace
# Each recipe line is a shell of its own: this one ends up as the command, so that Ctrl-C reaches it directly.
IN_WORKSPACE := source ./env.sh && exec

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## make .venv, install ROS 2 and the dependencies, build the packages
	@$(SETUP)

demo: ## estimate the shape of a simulated arm for 20 s, with console and report (HEADLESS=1: no browser)
	@$(SETUP)
	@$(IN_WORKSPACE) continua demo $(if $(filter-out 0,$(HEADLESS)),--headless)

test: ## run all tests (ARGS='-k name' is passed on to pytest)
	@$(SETUP) --dev
	@$(IN_WORKSPACE) python -m pytest $(ARGS)

lint: ## check style and format
	@$(SETUP) --dev
	@source ./env.sh && ruff check . && ruff format --check .

bench: ## measure the numerical kernels against their budgets
	@$(SETUP)
	@$(IN_WORKSPACE) continua bench

clean: ## remove all that the set-up made (recordings in runs/ stay)
	rm -rf .venv build install log .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +
