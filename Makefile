# `make test` runs everything that has to pass. The other targets are its parts and a few helpers.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.NOTPARALLEL:
.DEFAULT_GOAL := help

CARGO ?= cargo
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)

# No telemetry or update checks from Redocly.
export REDOCLY_TELEMETRY := off
export REDOCLY_SUPPRESS_UPDATE_NOTICE := true

# Tests wait for servers and databases more than half of the time.
NEXTEST := nextest run --test-threads $(shell echo $$(( 2 * $$(getconf _NPROCESSORS_ONLN) )))

step = @printf '\n== %s\n' "$(1)"

.PHONY: help
help:
	@printf '%s\n' \
	  'make run            run the server on 127.0.0.1:8080' \
	  'make test           run all tests and checks' \
	  'make test-distributed  run the tests on stores as they are on a cluster' \
	  'make statements     run the tests and list statements about matches that name no lane' \
	  'make fmt            format the code' \
	  'make lint           run clippy, with warnings as errors' \
	  'make doc            build the crate documentation' \
	  'make openapi        write openapi/openapi.json' \
	  'make openapi-check  check that openapi/openapi.json is up to date' \
	  'make openapi-lint   lint openapi/openapi.json (needs npm)' \
	  'make clients        generate the clients from openapi/openapi.json' \
	  'make clients-test   let the bots in examples/ play every game (needs npm and python3)' \
	  'make postgres       install Postgres for the tests if it is missing' \
	  'make play           play 200 random matches over HTTP on each store' \
	  'make proofs         check frames and proofs of 100 random matches of each game, and 1,000 tampered bytes' \
	  'make fuzz-proofs    verify 20,000 hostile files of each game' \
	  'make faults         play for ten minutes while servers, databases, connections, disks and clocks break; print the invariants' \
	  'make fuzz           fuzz the API with schemathesis (needs python3) and raw sockets' \
	  'make bench-domain   benchmark the rules: play, fold, view, legal moves, memory' \
	  'make ladder         play the levels of bots against each other, and write the table in bots/README.md' \
	  'make bench-bots     measure how long bots think' \
	  'make bench-load     benchmark durable moves over HTTP on Postgres against pgbench' \
	  'make bench-reads    benchmark views over HTTP against a bare handler with the same bytes' \
	  'make bench-cold     benchmark loading a match from the log against a bare SELECT' \
	  'make bench-pages    benchmark pages of a match of 40,000 events against a short one' \
	  'make bench-stream   measure the delay of streams; 200 matches with a replica killed' \
	  'make bench-hostile  measure what ordinary clients notice of one hostile address' \
	  'make bench-growth   benchmark moves and statistics with a million stored matches against a thousand (needs 35 GB)'

.PHONY: run
run:
	$(CARGO) run --release

# Clippy is the compiler here, and rustdoc documents a crate before it runs its examples: `cargo clippy` and `cargo doc` would
# compile the metadata of every dependency a second time.
.PHONY: test
test: export RUSTC_WORKSPACE_WRAPPER := clippy-driver
test: export CLIPPY_ARGS := -Dwarnings__CLIPPY_HACKERY__
test: export RUSTDOC := $(CURDIR)/.ci/rustdoc
test: postgres fmt-check openapi-check openapi-lint clients-test unit distributed-short faults-short fuzz-short

.PHONY: fmt
fmt:
	$(CARGO) fmt --all

.PHONY: fmt-check
fmt-check:
	$(call step,formatting)
	@$(CARGO) fmt --all -- --check

.PHONY: lint
lint:
	$(call step,clippy)
	@$(CARGO) clippy --locked --workspace --all-targets -- -D warnings

# cargo-nextest runs all tests side by side and each in a process of its own; without it the crates take turns. It leaves out
# the examples in the documentation, some of which prove that secrets do not compile.
.PHONY: unit
unit: build
	$(call step,documentation and its examples)
	@$(CARGO) test --locked --workspace --doc
	$(call step,tests on both stores)
	@if $(CARGO) nextest --version >/dev/null 2>&1; \
	then runner=($(NEXTEST)); else runner=(test --tests --no-fail-fast); fi; \
	$(TARGET_DIR)/debug/with-postgres $(CARGO) "$${runner[@]}" --locked --workspace

# Stores whose tables of matches are partitioned by lane, with a feed per lane: see "Lanes" in CONTRIBUTING.md.
.PHONY: test-distributed
test-distributed: build
	$(call step,tests on distributed stores)
	@if $(CARGO) nextest --version >/dev/null 2>&1; \
	then runner=($(NEXTEST)); else runner=(test --tests --no-fail-fast); fi; \
	TELAR_TEST_LAYOUT=distributed $(TARGET_DIR)/debug/with-postgres $(CARGO) "$${runner[@]}" --locked --workspace

.PHONY: distributed-short
distributed-short: build
	$(call step,a selection of the tests on distributed stores)
	@export TELAR_TEST_LAYOUT=distributed; \
	if $(CARGO) nextest --version >/dev/null 2>&1; \
	then runner=($(NEXTEST) --status-level fail); else runner=(test --quiet); fi; \
	$(TARGET_DIR)/debug/with-postgres $(CARGO) "$${runner[@]}" --locked --workspace --test e2e -- feed:: replicas:: streams:: lobby::; \
	$(TARGET_DIR)/debug/faults --store postgres --fault "server killed" --seconds 5 --hold 1000 --recovery 60 --players 8

.PHONY: statements
statements: build
	$(call step,every statement about a match names its lane)
	@if $(CARGO) nextest --version >/dev/null 2>&1; \
	then runner=($(NEXTEST)); else runner=(test --tests --no-fail-fast); fi; \
	TELAR_TEST_STATEMENTS=1 $(TARGET_DIR)/debug/with-postgres $(CARGO) "$${runner[@]}" --locked --workspace

# `--examples` (there are none) makes cargo select the same features as for clippy, so that nothing is checked twice.
.PHONY: doc
doc:
	$(call step,documentation)
	@RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --workspace --no-deps --lib --bins --examples

# Built together with the tests: `cargo run -p openapi` would select other features and compile half of the
# dependencies a second time.
.PHONY: build
build:
	@$(CARGO) build --locked --workspace --all-targets

.PHONY: openapi
openapi: build
	@$(TARGET_DIR)/debug/openapi

.PHONY: openapi-check
openapi-check: build
	$(call step,openapi.json is up to date)
	@$(TARGET_DIR)/debug/openapi --check

.PHONY: openapi-lint
openapi-lint:
	$(call step,openapi.json passes the linter)
	@if ! command -v npm >/dev/null || ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)'; then \
	  echo 'skipped: requires npm and Node.js 20.19+ or 22.12+'; \
	else \
	  $(MAKE) --silent openapi/node_modules/.package-lock.json; \
	  openapi/node_modules/.bin/redocly lint --config openapi/redocly.yaml openapi/openapi.json; \
	fi

openapi/node_modules/.package-lock.json: openapi/package.json openapi/package-lock.json
	@npm ci --prefix openapi --ignore-scripts --no-progress --loglevel=error
	@touch $@

# See clients/README.md. Generated code is not committed. Cargo generates the Rust client during the build.
.PHONY: clients
clients: clients-typescript clients-python

has_node = command -v npm >/dev/null && node -e 'process.exit(process.versions.node.split(".")[0] >= 20 ? 0 : 1)'
has_python = python3 -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
TYPESCRIPT := clients/typescript
PYTHON := clients/python

.PHONY: clients-typescript
clients-typescript:
	@if $(has_node); then $(MAKE) --silent $(TYPESCRIPT)/build/.made; \
	else echo 'skipped TypeScript: requires npm and Node.js 20 or later'; fi

.PHONY: clients-python
clients-python:
	@if $(has_python); then $(MAKE) --silent $(PYTHON)/telar_client/.made; \
	else echo 'skipped Python: requires Python 3.11 or later with venv'; fi

# tsc also checks the types of the client and the bot.
$(TYPESCRIPT)/build/.made: openapi/openapi.json $(TYPESCRIPT)/node_modules/.package-lock.json $(TYPESCRIPT)/index.ts $(TYPESCRIPT)/tsconfig.json examples/typescript/bot.ts
	@npm run --silent --prefix $(TYPESCRIPT) build
	@touch $@

$(TYPESCRIPT)/node_modules/.package-lock.json: $(TYPESCRIPT)/package.json $(TYPESCRIPT)/package-lock.json
	@npm ci --prefix $(TYPESCRIPT) --ignore-scripts --no-progress --loglevel=error
	@touch $@

$(PYTHON)/telar_client/.made: openapi/openapi.json $(PYTHON)/.venv/.made $(PYTHON)/config.yaml
	@$(PYTHON)/.venv/bin/openapi-python-client generate --path openapi/openapi.json --config $(PYTHON)/config.yaml --meta none --output-path $(PYTHON)/telar_client --overwrite --fail-on-warning
	@touch $@

$(PYTHON)/.venv/.made: $(PYTHON)/requirements.txt
	@python3 -m venv --clear $(PYTHON)/.venv
	@$(PYTHON)/.venv/bin/pip install --quiet --disable-pip-version-check --requirement $(PYTHON)/requirements.txt
	@echo "$(CURDIR)/$(PYTHON)" > "$$($(PYTHON)/.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/telar_client.pth"
	@touch $@

# Each bot plays a complete match of every game on its own server.
.PHONY: clients-test
clients-test: build clients
	$(call step,the Rust bot plays every game)
	@$(TARGET_DIR)/debug/bots $(TARGET_DIR)/debug/bot
	@if $(has_node); then \
	  printf '\n== the TypeScript bot plays every game\n'; \
	  $(TARGET_DIR)/debug/bots node $(TYPESCRIPT)/build/examples/typescript/bot.js; \
	fi
	@if $(has_python); then \
	  printf '\n== the Python bot plays every game\n'; \
	  MYPYPATH=$(PYTHON) $(PYTHON)/.venv/bin/mypy --strict --no-error-summary --cache-dir $(PYTHON)/.venv/mypy examples/python/bot.py; \
	  $(TARGET_DIR)/debug/bots $(PYTHON)/.venv/bin/python examples/python/bot.py; \
	fi

# The tests start their own Postgres. They only need its binaries, on PATH or in the directory used by Debian.
.PHONY: postgres
postgres:
	@found() { command -v initdb || compgen -G '/usr/lib/postgresql/*/bin/initdb'; }; \
	if ! found >/dev/null; then \
	  if [ "$$(id -u)" = 0 ]; then as_root=(); else as_root=(sudo -n); fi; \
	  if command -v apt-get >/dev/null && "$${as_root[@]}" true 2>/dev/null; then \
	    printf '\n== installing Postgres\n'; \
	    "$${as_root[@]}" apt-get update -qq; \
	    "$${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >/dev/null; \
	  fi; \
	  if ! found >/dev/null; then \
	    echo 'The tests need the Postgres binaries (initdb, postgres). Install them with your package manager, for example'; \
	    echo '  apt-get install postgresql    or    brew install postgresql'; \
	    echo 'and put its directory on PATH if it is not in /usr/lib/postgresql/*/bin.'; \
	    exit 1; \
	  fi; \
	fi

.PHONY: play
play: postgres
	$(CARGO) run --release -p bench -- play

.PHONY: proofs
proofs:
	$(CARGO) run --release -p bench -- proofs

# The same runs with fewer files in `make test`. fuzz/README.md describes the targets for cargo-fuzz, which need nightly Rust.
.PHONY: fuzz-proofs
fuzz-proofs:
	TELAR_FUZZ=20000 $(CARGO) test --locked -p domain --test conformance hostile

# A chaos run over both stores; see "Faults and fuzzing" in CONTRIBUTING.md. `FAULTS="--fault killed"` chooses.
.PHONY: faults
faults: postgres
	@$(CARGO) build --locked --release --package api --package tests
	$(TARGET_DIR)/release/faults $(FAULTS)

.PHONY: faults-short
faults-short: build
	$(call step,nothing acknowledged is lost while things break)
	@$(TARGET_DIR)/debug/faults --short --seconds 20 --hold 1000 --recovery 60 --players 8

# Each part is limited in time.
FUZZ := tests/fuzz
schemathesis = with-server $(FUZZ)/.venv/bin/schemathesis --no-color --config-file $(FUZZ)/schemathesis.toml run openapi/openapi.json

.PHONY: fuzz
fuzz: SEED ?= $(shell echo $$RANDOM)
fuzz: postgres
	@$(CARGO) build --locked --release --package api --package tests
	$(TARGET_DIR)/release/fuzz sockets --seconds 240 --seed $(SEED)
	$(TARGET_DIR)/release/fuzz --postgres sockets --seconds 60 --seed $(SEED)
	@if $(has_python); then $(MAKE) --silent $(FUZZ)/.venv/.made; \
	  for store in '' --postgres; do \
	    $(TARGET_DIR)/release/fuzz $$store $(schemathesis) --max-time 180 --seed $(SEED); \
	  done; \
	else echo 'skipped schemathesis: requires Python 3.11 or later with venv'; fi

.PHONY: fuzz-short
fuzz-short: build
	$(call step,broken requests over raw sockets)
	@$(TARGET_DIR)/debug/fuzz sockets --seconds 10
	$(call step,requests that schemathesis derives from openapi.json)
	@if $(has_python); then $(MAKE) --silent $(FUZZ)/.venv/.made; \
	  $(TARGET_DIR)/debug/fuzz $(schemathesis) --phases examples,coverage,fuzzing --max-examples 2 --seed 1; \
	else echo 'skipped: requires Python 3.11 or later with venv'; fi

$(FUZZ)/.venv/.made: $(FUZZ)/requirements.txt
	@python3 -m venv --clear $(FUZZ)/.venv
	@$(FUZZ)/.venv/bin/pip install --quiet --disable-pip-version-check --requirement $(FUZZ)/requirements.txt
	@touch $@

# Benchmarks measure what images run.
BENCH := $(TARGET_DIR)/dist/bench

.PHONY: bench-domain
bench-domain:
	$(CARGO) bench --profile dist -p bench --bench domain
	$(CARGO) run --profile dist -p bench -- weight

.PHONY: bench-bots
bench-bots:
	$(CARGO) bench --profile dist -p bots --bench thinking

# LADDER="--games qwinto --seats 2 --matches 400" plays a part. Results are kept in bots/ladder.json, and a run continues where
# the last one ended; LADDER=--fresh forgets them.
.PHONY: ladder
ladder:
	$(CARGO) bench --profile dist -p bots --bench ladder -- $(LADDER)

.PHONY: bench-build
bench-build: postgres
	$(CARGO) build --locked --profile dist --package api --package bench

.PHONY: bench-load
bench-load: bench-build
	$(BENCH) load
	$(BENCH) load --minimal --clients 64
	$(BENCH) load --ask --alone --clients 64
	$(BENCH) load --replicas 2 --alone --clients 64
	$(BENCH) load --lanes 1,8,64 --clients 64
	$(BENCH) load --lanes 64 --separate-feeds --clients 64
	$(BENCH) load --sqlite --clients 64
	$(BENCH) load --alone --clients 64 --bots 0
	$(BENCH) load --alone --clients 64 --bots 40

.PHONY: bench-reads
bench-reads: bench-build
	$(BENCH) reads

.PHONY: bench-cold
bench-cold: bench-build
	$(BENCH) cold

.PHONY: bench-pages
bench-pages: bench-build
	$(BENCH) pages

.PHONY: bench-stream
bench-stream: bench-build
	$(BENCH) stream

.PHONY: bench-hostile
bench-hostile: bench-build
	$(BENCH) hostile

.PHONY: bench-growth
bench-growth: bench-build
	$(BENCH) growth --clients 64 --seconds 10
