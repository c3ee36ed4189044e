#!/usr/bin/env bash
# Remakes the picture of every gallery model, or of those named: gallery/pictures.sh ball slider-crank
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --quiet -p carom --example picture
program="$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/debug/examples/picture"
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
    for model in gallery/*/model.toml; do names+=("$(basename "$(dirname "$model")")"); done
fi
for name in "${names[@]}"; do
    "$program" "gallery/$name" > "gallery/$name/picture.svg.new"
    mv "gallery/$name/picture.svg.new" "gallery/$name/picture.svg"
    printf '%7d bytes  gallery/%s/picture.svg\n' "$(wc -c < "gallery/$name/picture.svg")" "$name"
done
