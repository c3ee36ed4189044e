#!/usr/bin/env bash
# The one test command: formatting, lints, every test, the documentation, the first command of the README, the Python package,
# and the report page in a browser. What is missing of the tools it installs where Debian's packages can be had.
set -euo pipefail
cd "$(dirname "$0")"
. python/environment.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Names a section, after the time that the one before took on the clock and on all processors together.
section() {
  local processor
  # a pipe would ask a shell that has done nothing
  times >"$scratch/times"
  processor=$(awk -F'[ms ]+' 'NR == 2 { print int(60 * $1 + $2 + 60 * $3 + $4) }' "$scratch/times")
  [ -z "${began:-}" ] || printf -- '-- %d s, %d s of processor time\n' $((SECONDS - began)) $((processor - spent))
  began=$SECONDS spent=$processor
  printf '\n== %s\n' "$*"
}

if ! command -v cargo >/dev/null && [ -f "$HOME/.cargo/env" ]; then . "$HOME/.cargo/env"; fi
if ! command -v cargo >/dev/null; then
  echo "Rust is missing: install rustup (Debian: apt-get install rustup && rustup default stable), then run this again"
  exit 2
fi
for part in fmt clippy; do
  cargo "$part" --version >/dev/null 2>&1 || rustup component add "${part/fmt/rustfmt}"
done
if ! command -v npm >/dev/null; then
  debian_install npm || { echo "Node is missing: install Node 20 or newer with npm, then run this again"; exit 2; }
fi
export CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
if [ -z "$CHROMIUM" ]; then
  debian_install chromium fonts-dejavu-core fonts-noto-core ||
    { echo "a browser is missing: install Chromium, or name one in CHROMIUM, then run this again"; exit 2; }
  CHROMIUM=$(command -v chromium)
fi
# Where nothing is compiled a second time, what a second time would need is not kept.
[ -z "${CI:-}" ] || export CARGO_INCREMENTAL=0
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")

section "formatting"
cargo fmt --all --check

section "lints"
cargo clippy --workspace --all-targets -- -D warnings

section "tests"
if cargo nextest --version >/dev/null 2>&1; then
  cargo nextest run --workspace --no-fail-fast
else
  # Every test file as one process: slower, no summary over all, the same tests.
  cargo test --workspace --no-fail-fast --lib --bins --tests
fi

section "examples in the documentation"
cargo test --workspace --doc
# A source key such as [Chen2013] looks like a link to rustdoc, and is none.
RUSTDOCFLAGS="-D warnings -A rustdoc::broken_intra_doc_links" cargo doc --workspace --no-deps --quiet
if command -v mdbook >/dev/null && [ -f docs/book.toml ]; then
  mdbook build docs
fi

section "the first command of the README"
out=$scratch/out
cargo run --release --quiet -- run slider-crank --out "$out"
for file in series.csv events.csv summary.json report.html; do
  test -s "$out/$file" || { echo "missing: $file"; exit 1; }
done

section "the Python package"
# Stands on what the release build has compiled; see [build-dependencies] of carom-cli.
venv=$target/venv
python_environment "$venv" -r python/tests/requirements.txt
VIRTUAL_ENV=$venv "$venv/bin/maturin" develop --release --locked --quiet
"$venv/bin/mypy"
"$venv/bin/python" -m pytest -q

section "the report page in a browser"
(
  cd web
  npm ci --no-audit --no-fund
  npm run --silent check
  npm run --silent verify
  CAROM="$target/release/carom" npm run --silent test
)

section "all passed"
