#!/usr/bin/env bash
# The report page in a real browser. CAROM: the binary; CHROMIUM: the browser.
set -euo pipefail
cd "$(dirname "$0")/.."
export CAROM=${CAROM:-../target/release/carom}
export CHROMIUM=${CHROMIUM:-/usr/bin/chromium}
for program in "$CAROM" "$CHROMIUM"; do
  command -v "$program" >/dev/null || { echo "missing: $program (set CAROM and CHROMIUM)"; exit 2; }
done
CAROM=$(realpath "$(command -v "$CAROM")")
[ -d node_modules/playwright-core ] || npm ci --no-audit --no-fund
mkdir -p tests/shots
exec node --test --test-concurrency=1 "$@" tests/*.test.mjs
