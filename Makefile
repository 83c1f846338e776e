# `make demo` and `make test` do all their own set-up. Everything goes into .venv, .tools and node_modules.
PYTHON ?= python3
CLAUDE_NPM = 2.1.197
MUTMUT = 3.8.1
PIP_AUDIT = 2.10.1
# While a test waits for Claude or the browser, two others have the cores of a small machine. Four gain a hundredth.
WORKERS ?= 3
export PYTHON
unexport PYTHONDONTWRITEBYTECODE  # what one process has compiled serves the hundreds that follow it

.PHONY: demo test pytest check types style bench load cuts seed-history bench-figures bench-history bench-text bench-conversations bench-practice \
  bench-files bench-messages bench-workers bench-plain evidence mutants screenshots generated pins versions vulnerabilities clean
.DEFAULT_GOAL := demo

# `make demo RELAY=messages`: the same over the Messages API, without Claude Code.
demo: .venv/demo
	@$(if $(RELAY),PALIADIN_RELAY='$(RELAY)') .venv/bin/paliadin demo

# Types and style are looked at beside the tests: alone they would leave a core idle.
test:
	@$(MAKE) --no-print-directory -j4 types style pytest

pytest: .venv/collected .tools/claude
	scripts/in-memory .venv/bin/python -m pytest -n $(WORKERS) --no-loadscope-reorder $(PYTEST)

# On a clean checkout each worker would compile all tests for itself, at the same time as the others. What is wrong with
# them is told by the run itself.
.venv/collected: | .venv/test
	@.venv/bin/python -m pytest --collect-only -qq >/dev/null 2>&1 || true
	@touch $@

check:
	@$(MAKE) --no-print-directory -j2 types style

types: .venv/test
	.venv/bin/mypy
	.venv/bin/mypy --strict examples/host/app.py

style: .venv/test node_modules/.done
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	npm run --silent check
	node --test tests/web/*.test.mjs

bench: .venv/test .tools/claude
	@.venv/bin/python -m tests.bench npm && .venv/bin/python -m tests.bench sdk

# An hour: ten minutes of it idle. `make load PARTS="clients deltas"` runs some of it, `LIVE_TURNS=100 make load PARTS=live`
# a tenth of live text, `make load PARTS=matrices PYTEST=tests/browser` the browser's part of what `make test` leaves out.
load: .venv/test .tools/claude
	@WORKERS='$(WORKERS)' PYTEST='$(PYTEST)' .venv/bin/python -m tests.load $(PARTS)

# Eleven minutes: a wire that is cut for up to 300 s in mid-turn, and (with an own host each) what ssh adds to a turn.
cuts: .venv/test
	@.venv/bin/python -m tests.load.cuts
	@.venv/bin/python -m tests.bench.ssh

# Two years of believable turns to try the dashboard on: PALIADIN_HOME=.history/100000 .venv/bin/paliadin up
seed-history: .venv/test
	.venv/bin/python -m tests.tools.seed_history --turns 100000 .history/100000
	.venv/bin/python -m tests.tools.seed_history --turns 1000000 .history/1000000

bench-figures: .venv/test
	.venv/bin/python -m tests.bench.figures .history/100000
	.venv/bin/python -m tests.bench.figures .history/1000000

bench-history: .venv/test
	@.venv/bin/python -m tests.bench.history

bench-text: .venv/test
	@.venv/bin/python -m tests.bench.text

# The picker behind `@` in a folder of 50,000 files.
bench-files: .venv/test
	@.venv/bin/python -m tests.bench.files

# 200 conversations with 20,000 turns on the page. Five minutes.
bench-conversations: .venv/test
	@.venv/bin/python -m tests.bench.conversations

# The practice's tools with 100,000 deadlines. A minute; `python -m tests.bench.practice --plans` shows the plans as well.
bench-practice: .venv/test
	@.venv/bin/python -m tests.bench.practice

# What the daemon adds to a turn over the Messages API, beside the SDK alone. Two minutes.
bench-messages: .venv/test
	@.venv/bin/python -m tests.bench.messages

# The same with a process that serves the page and two that ask the API.
bench-workers: .venv/test
	@.venv/bin/python -m tests.bench.messages --workers 2

# What no question costs, beside an earlier commit: `make bench-plain BEFORE=v1.2`.
BEFORE ?= HEAD~1
bench-plain: .venv/test
	@.venv/bin/python -m tests.bench.plain $(BEFORE)

# A minute a version, also of versions that are fetched for it into .versions: `make versions VERSIONS="2.1.250 sdk:newest"`.
versions: .venv/test
	@.venv/bin/python -m tests.tools.versions $(VERSIONS)

# How the check of answers does on its corpus, beside two libraries, which only this needs.
evidence: .venv/evidence
	@.venv/bin/python -m tests.evidence --libraries $(EVIDENCE)

.venv/evidence: tests/evidence/requirements.txt .venv/test
	.venv/bin/pip install -q --disable-pip-version-check --require-hashes -r tests/evidence/requirements.txt
	@touch $@

# A quarter of an hour. Small changes of the pure core, one at a time: a test has to fail with each of them.
mutants: .venv/mutmut
	rm -rf mutants
	.venv/bin/mutmut run --max-children $$(getconf _NPROCESSORS_ONLN)
	.venv/bin/python -m tests.tools.mutants

.venv/mutmut: .venv/test
	.venv/bin/pip install -q --disable-pip-version-check mutmut==$(MUTMUT)
	@touch $@

screenshots: .venv/test .tools/claude
	.venv/bin/python -m tests.tools.screenshots
	.venv/bin/python -m tests.tools.screenshots_admin

# Asked for all at once, before anything is made.
.venv/demo: NEED = tmux
.venv/packages: NEED = tmux bwrap socat chromium headless firefox-esr fonts libatomic node npm sshd ps ip

.venv/bin/python:
	@scripts/need venv $(NEED)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; set PYTHON=")'
	$(PYTHON) -m venv .venv
	.venv/bin/pip install -q --disable-pip-version-check --require-hashes -r requirements-pip.txt

.venv/demo: requirements.txt pyproject.toml | .venv/bin/python
	@scripts/need $(NEED)
	.venv/bin/pip install -q --disable-pip-version-check --require-hashes -r requirements.txt
	.venv/bin/pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv/packages: scripts/need Makefile | .venv/bin/python
	@scripts/need $(NEED)
	@touch $@

.venv/test: requirements-dev.txt pyproject.toml | .venv/packages
	.venv/bin/pip install -q --disable-pip-version-check --no-compile --require-hashes -r requirements-dev.txt
	.venv/bin/pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# The tests run two versions of Claude Code: this one, and the one in claude-agent-sdk (requirements.txt).
.tools/claude: | .venv/packages
	npm install --loglevel=error --no-audit --no-fund --no-package-lock --prefix .tools @anthropic-ai/claude-code@$(CLAUDE_NPM)
	@touch $@

node_modules/.done: package.json | .venv/packages
	npm install --loglevel=error --no-audit --no-fund --no-package-lock
	@touch $@

# The page's words and its types of events, from the catalogue and from the dataclasses.
generated: .venv/test
	.venv/bin/python -m scripts.generate

# Renew the lists after a change in pyproject.toml. They hold hashes and no address of a registry. pip is in one of its own:
# the one that comes with Python 3.11 takes twice as long for the others.
PINS = --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate
pins: .venv/test
	.venv/bin/pip install -q uv
	echo pip | .venv/bin/uv pip compile -q - $(PINS) -o requirements-pip.txt
	for extra in "" -dev; do .venv/bin/uv pip compile -q pyproject.toml --extra claude --extra messages --extra practice --group build \
	  $$([ -z "$$extra" ] || echo --group dev) $(PINS) -o requirements$$extra.txt; done

# What the registries know against the pinned packages, and whether what is vendored is what they have. It needs the network,
# and fails where a registry does not say; `make check` compares the vendored files with node_modules.
vulnerabilities: .audit/bin/pip-audit
	@scripts/vulnerabilities .audit/bin/pip-audit @anthropic-ai/claude-code@$(CLAUDE_NPM)

# Apart from .venv, whose packages it would change.
.audit/bin/pip-audit:
	$(PYTHON) -m venv .audit
	.audit/bin/pip install -q --disable-pip-version-check pip-audit==$(PIP_AUDIT)

clean:
	rm -rf .venv .tools .versions .audit node_modules
