#!/usr/bin/env bash
# Remakes the picture of every gallery model, or of those named: gallery/pictures.sh ball slider-crank
# What is drawn stands in `[picture]` at the top of each README: `frames` (instants of the mechanism) and `plot` (channels),
# or one of them; `title` of the plot; `size` and `plot_size` of the two (pixels); `clip` (what `carom animate` is to be
# told) for a motion.gif.
set -euo pipefail
cd "$(dirname "$0")/.."
# CAROM=path/to/carom takes a command that is built already
if [ -z "${CAROM:-}" ]; then
    cargo build --quiet --release -p carom-cli
    CAROM="$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release/carom"
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# wish NAME KEY: the value without quotes, a list without brackets and spaces; empty if there is none
wish() {
    sed -n '/^\[picture\]/,/^\[\[/p' "gallery/$1/README.md" | sed -n "s/^$2 = //p" | sed '/^\[/s/[][ ]//g' | tr -d '"'
}

names=("$@")
if [ ${#names[@]} -eq 0 ]; then
    for model in gallery/*/model.toml; do names+=("$(basename "$(dirname "$model")")"); done
fi
for name in "${names[@]}"; do
    "$CAROM" run "gallery/$name" --out "$work/$name" --no-report --quiet
    words=()
    for pair in frames:at size:size plot:plot plot_size:plot-size title:title; do
        value="$(wish "$name" "${pair%%:*}")"
        case "$pair" in *size:*) value="${value/,/x}" ;; esac
        if [ -n "$value" ]; then words+=("--${pair##*:}" "$value"); fi
    done
    "$CAROM" picture "$work/$name" "${words[@]}" -o "gallery/$name/picture.svg" > /dev/null
    printf '%7d bytes  gallery/%s/picture.svg\n' "$(wc -c < "gallery/$name/picture.svg")" "$name"
    clip="$(wish "$name" clip)"
    if [ -n "$clip" ]; then
        # shellcheck disable=SC2086 # several words
        "$CAROM" animate "$work/$name" $clip -o "$work/motion.gif" --quiet
        mv "$work/motion.gif" "gallery/$name/motion.gif"
        printf '%7d bytes  gallery/%s/motion.gif\n' "$(wc -c < "gallery/$name/motion.gif")" "$name"
    fi
done
