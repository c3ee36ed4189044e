#!/usr/bin/env bash
# The one test command: formatting, lints, every test, the documentation, and the first command of the README.
set -euo pipefail
cd "$(dirname "$0")"

section() { printf '\n== %s\n' "$*"; }

# Rust is needed, and nothing else.
if ! command -v cargo >/dev/null && [ -f "$HOME/.cargo/env" ]; then . "$HOME/.cargo/env"; fi
if ! command -v cargo >/dev/null; then
  echo "Rust is missing: install rustup (Debian: apt-get install rustup && rustup default stable), then run this again"
  exit 2
fi
for part in fmt clippy; do
  cargo "$part" --version >/dev/null 2>&1 || rustup component add "${part/fmt/rustfmt}"
done

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
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cargo run --release --quiet -- run slider-crank --out "$out"
for file in series.csv events.csv summary.json report.html; do
  test -s "$out/$file" || { echo "missing: $file"; exit 1; }
done

section "the report page in a browser"
if command -v npm >/dev/null; then
  # As root on Debian the browser installs itself; elsewhere CHROMIUM names one.
  command -v "${CHROMIUM:-chromium}" >/dev/null || apt-get install -y --no-install-recommends chromium
  cd web
  npm ci --no-audit --no-fund
  npm run check
  npm run verify
  CAROM=../target/release/carom npm test
  cd ..
else
  echo "not tested: Node is missing (Debian: apt-get install npm). The committed page is used as it is."
fi

section "all passed"
