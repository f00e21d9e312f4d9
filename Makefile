# Needs Python 3.11+, make and access to PyPI. Everything else is installed into .tools and .venv by `make setup`.

PYTHON ?= python3
UV     := .tools/bin/uv
BIN    := .venv/bin
export UV_PROJECT_ENVIRONMENT := .venv
export UV_PYTHON_DOWNLOADS := never
# Set in many container images. The tests start hundreds of processes, each of which would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE
# The cores of a container are those of its limit, however many the machine has. One worker more: some tests wait. With
# more than eight, the longest file decides.
CORES    = $(shell $(BIN)/python -c 'from contentgen_grounded.cores import usable_cores; print(usable_cores())')
WORKERS  = $(shell echo $$(( $(CORES) < 8 ? $(CORES) + 1 : 8 )))
BROWSERS = $(shell echo $$(( $(CORES) < 4 ? $(CORES) : 4 )))

.DEFAULT_GOAL := help
.PHONY: help setup run test clients test-clients test-quick test-browser screenshots test-live chaos lint types check bench bench-scale bench-workers bench-quality bench-articles bench-summedits bench-peers docs docs-site wheel clean

help: ## Show what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

setup: .venv/.synced ## Build .venv, with .venv/bin/contentgen

.tools/bin/uv:
	$(PYTHON) -m venv .tools
	.tools/bin/python -m pip install --quiet --disable-pip-version-check 'uv>=0.8,<1'

.venv/.synced: .tools/bin/uv pyproject.toml uv.lock
	$(UV) sync --quiet --frozen --python $(PYTHON)
	@touch $@

run: setup ## Start the service with a demo tenant on http://127.0.0.1:8000, or on another PORT=…
	@exec $(BIN)/contentgen serve --demo $(if $(PORT),--port '$(PORT)')

test: setup ## Run all suites (they start the PostgreSQL they need)
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --ignore tests/browser
	$(BIN)/pytest tests/browser -n $(BROWSERS) --dist loadfile

test-quick: setup ## Run the unit suites, with fewer examples of each property
	$(BIN)/pytest tests/unit -n logical --dist loadfile --hypothesis-profile=quick

test-browser: setup ## Run the console's suite in a real Chromium, Debian's where there is none
	$(BIN)/pytest tests/browser -n $(BROWSERS) --dist loadfile

screenshots: setup ## Take the pictures of the console for its tour
	$(BIN)/python -m tests.browser.screenshots docs/images/console

test-live: setup ## Run against real software: models, agents, WordPress, Strapi, webhooks, the image; some: PEERS="…" (20 minutes)
	$(BIN)/python -m tests.live $(PEERS) $(if $(INSTALLED),--installed '$(INSTALLED)')

chaos: setup ## Inject 1,000 faults and count what they cost; goes on where it was stopped (SEED=…, FAULTS=…; hours)
	$(BIN)/python -m tests.chaos --seed $(or $(SEED),1) --faults $(or $(FAULTS),1000)

# The generators and Node, in an environment of their own: the generators' bounds are not those of the service.
.tools/clients/.%: .tools/bin/uv clients/pyproject.toml clients/uv.lock
	UV_PROJECT_ENVIRONMENT=$(CURDIR)/.tools/clients $(UV) sync --quiet --frozen --inexact --project clients --group $* --python $(PYTHON)
	@touch $@

clients: setup .tools/clients/.python .tools/clients/.typescript ## Generate the clients for Python and TypeScript into build/clients
	$(BIN)/python -m clients.generate

test-clients: setup .tools/clients/.python .tools/clients/.typescript ## Generate both clients, compile them, and write an article with each (needs the npm registry)
	CONTENTGEN_TEST_NPM=1 $(BIN)/pytest -n 0 tests/process/test_clients.py

lint: setup ## Style, formatting, the limits of size and the architecture's contracts
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/python -m tests.size_limits
	$(BIN)/lint-imports

types: setup ## Static types
	$(BIN)/mypy

check: lint types test ## Everything that must hold

bench: setup ## Measure speed and memory against stated references
	$(BIN)/python -m benchmarks

bench-scale: setup ## Measure search in a million passages (20 minutes)
	$(BIN)/python -m benchmarks searching_scale

bench-workers: setup ## Measure several processes, all cores, the relay and a worker that writes 1,000 articles (20 minutes)
	$(BIN)/python -m benchmarks relaying several all_cores working

bench-quality: setup ## Measure retrieval, coverage, answerability, grounding and entities on the collections in DATA=folder
	$(if $(DATA),CONTENTGEN_BENCH_DATA='$(DATA)') $(BIN)/python -m benchmarks.quality $(NAMES)

bench-articles: setup ## Measure whole articles on the knowledge bases in DATA=folder, beside two summarisers (10 minutes)
	$(if $(DATA),CONTENTGEN_BENCH_DATA='$(DATA)') $(UV) run --frozen --no-sync --with 'sumy>=0.11,<1' --with 'rouge-score>=0.1.2,<1' \
	  python -m benchmarks.quality articles

bench-summedits: setup ## Measure the grounding check on the edited summaries in DATA=folder, beside ROUGE (2 minutes)
	$(if $(DATA),CONTENTGEN_BENCH_DATA='$(DATA)') $(UV) run --frozen --no-sync --with 'rouge-score>=0.1.2,<1' \
	  python -m benchmarks.quality summedits

bench-peers: setup ## Measure an article beside other programs that write, installed in .peers (1.5 GB, 3 minutes)
	$(BIN)/python -m benchmarks.peers

docs: setup ## Write the generated reference pages
	$(BIN)/python -m contentgen_http.reference docs/reference

docs-site: setup ## Build the documentation with a search, to read without a network: build/site/index.html
	$(BIN)/sphinx-build --fresh-env --write-all --quiet --fail-on-warning --keep-going --nitpicky -c docs -d build/doctrees . build/site

wheel: setup ## Build the package that pip installs elsewhere: build/wheel/contentgen_grounded-….whl
	$(UV) build --quiet --wheel --out-dir build/wheel

clean: ## Remove what setup and the tests made
	rm -rf .venv .tools .peers build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +
