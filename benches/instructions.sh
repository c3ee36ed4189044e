#!/usr/bin/env bash
# Instructions per step, by valgrind: the difference of two runs of N and 2N steps, so that reading and building the
# model do not count. Repeatable to the last digit on one machine, whatever else it does.
# Usage: benches/instructions.sh [row ...]
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --quiet -p carom-bench
bench=target/release/carom-bench
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" "$1" "$2" 2>&1 |
    sed -n 's/.*Collected : //p' | tr -d ' '
}
rows=("$@")
[ ${#rows[@]} -gt 0 ] || rows=(ball slider-crank slider-crank-minimal slider-crank-bilateral four-bar bar-200 bar-200-alpha bar-1000 bar-1000-alpha beam-4 beam-32 chain-10 chain-50 chain-200 chain-1000 heavy-top four-bar-space four-bar-space-hinges slider-crank-space slider-crank-space-relative chain-space-50 chain-space-50-relative)
printf '%-22s %s\n' model instructions/step
for row in "${rows[@]}"; do
  case $row in ball) n=20000 ;; chain*) n=100 ;; *-space*) n=1000 ;; heavy-top | slider-crank* | four-bar) n=4000 ;; bar*) n=375 ;; beam*) n=1000 ;; *) n=100 ;; esac
  once=$(count "$row" $n)
  twice=$(count "$row" $((2 * n)))
  printf '%-22s %d\n' "$row" $(((twice - once) / n))
done
