#!/usr/bin/env bash
# Makes what can be handed on, in dist/: a wheel for Python, and an archive of the command for Linux, unpacked into any prefix
# (bin, completions, pages of the manual). Then checks both where no Rust is to be found. The same source and tools are to
# give the same bytes, in whatever folder; `./package.sh --twice` makes everything a second time elsewhere and compares.
set -euo pipefail
cd "$(dirname "$0")"
root=$PWD

section() { printf '\n== %s\n' "$*"; }
twice=
case "${1:-}" in
  "") ;;
  --twice) twice=yes ;;
  *) echo "usage: ./package.sh [--twice]"; exit 2 ;;
esac

if ! command -v cargo >/dev/null && [ -f "$HOME/.cargo/env" ]; then . "$HOME/.cargo/env"; fi
command -v cargo >/dev/null || { echo "Rust is missing: see https://rustup.rs, then run this again"; exit 2; }
. python/environment.sh

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)
machine=$(rustc -vV | sed -n 's/^host: //p')
dist=$root/dist
export CARGO_TARGET_DIR=$root/target/package
rm -rf "$dist" "$CARGO_TARGET_DIR/stage"
mkdir -p "$dist"

# The same bytes: the time of the last commit (of the change log where there is no history), and no path of this machine.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)
export SOURCE_DATE_EPOCH
export CARGO_INCREMENTAL=0
separator=$'\x1f'
export CARGO_ENCODED_RUSTFLAGS="--remap-path-prefix=$root=carom${separator}--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"

section "licences of what is built in"
find_python
third=$root/python/carom/THIRD-PARTY.txt
"$python" python/licences.py carom-py >"$third"
echo "$(grep -c '^== ' "$third") packages"

section "wheel"
python_environment "$root/target/venv-package" 'maturin==1.16.0'
"$root/target/venv-package/bin/maturin" build --release --locked --out "$dist"
wheel=$(echo "$dist"/carom-*.whl)

section "command"
# Nothing but the kernel is asked of the machine. Only the last step differs from the wheel: what it links is shared.
cargo rustc --release --locked -p carom-cli --bin carom -- -C strip=symbols -C target-feature=+crt-static
built=$CARGO_TARGET_DIR/release/carom
stage=$CARGO_TARGET_DIR/stage
prefix=$stage/carom-$version-$machine
mkdir -p "$prefix"/{bin,share/doc/carom,share/man/man1,share/bash-completion/completions} \
  "$prefix"/share/{zsh/site-functions,fish/vendor_completions.d}
install -m 755 "$built" "$prefix/bin/carom"
cp README.md CHANGELOG.md CITATION.cff LICENSE-MIT LICENSE-APACHE "$third" "$prefix/share/doc/carom/"
"$built" completions bash >"$prefix/share/bash-completion/completions/carom"
"$built" completions zsh >"$prefix/share/zsh/site-functions/_carom"
"$built" completions fish >"$prefix/share/fish/vendor_completions.d/carom.fish"
"$built" man --out "$prefix/share/man/man1"
find "$prefix" -type d -exec chmod 755 {} +
find "$prefix/share" -type f -exec chmod 644 {} +
archive=$dist/carom-$version-$machine.tar.gz
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=ustar -C "$stage" -cf - "$(basename "$prefix")" |
  gzip -n9 >"$archive"

section "check: the wheel in a clean environment without Rust"
largest=$((25 * 1000 * 1000))
[ "$(stat -c %s "$wheel")" -lt $largest ] || { echo "the wheel is larger than 25 MB"; exit 1; }
clean=$(mktemp -d)
trap 'rm -rf "$clean"' EXIT
"$python" -m venv "$clean/venv" # pip alone
# What of this environment pip needs to reach the index, and no more.
outside=(env -i PATH="$clean/venv/bin:/usr/bin:/bin" HOME="$clean" PIP_CONFIG_FILE="${PIP_CONFIG_FILE:-}")
for name in PIP_INDEX_URL PIP_CERT PIP_FIND_LINKS HTTPS_PROXY HTTP_PROXY NO_PROXY SSL_CERT_FILE; do
  [ -z "${!name:-}" ] || outside+=("$name=${!name}")
done
if "${outside[@]}" sh -c 'command -v cargo || command -v rustc'; then echo "Rust is on the path of the check"; exit 1; fi
"${outside[@]}" pip install --quiet --disable-pip-version-check "$wheel"
(
  cd "$clean"
  [ "$("${outside[@]}" carom --version)" = "carom $version" ]
  [ "$("${outside[@]}" python -c 'import carom; print(carom.__version__)')" = "$version" ]
  "${outside[@]}" carom run ball --quiet --out ball.out
  test -s ball.out/report.html
  "${outside[@]}" python -c 'import carom; result = carom.load("ball").run(end=1.0); assert result.stop == "done", result.stop'
)

# pip, told that it is for Python 3.9, must refuse: by the tag in the name, or by what the wheel asks for.
old=$("${outside[@]}" pip install --dry-run --no-deps --python-version 3.9 --only-binary=:all: --target "$clean/old" "$wheel" 2>&1) && old=accepted
grep -qE "not a supported wheel on this platform|requires a different Python: 3.9" <<<"$old" || { echo "Python 3.9 was not refused: $old"; exit 1; }

section "check: the archive, unpacked"
mkdir "$clean/prefix"
tar -xzf "$archive" -C "$clean/prefix" --strip-components=1
if readelf -d "$clean/prefix/bin/carom" | grep -q NEEDED; then echo "the command needs libraries of the machine"; exit 1; fi
(
  cd "$clean"
  [ "$(env -i prefix/bin/carom --version)" = "carom $version" ]
  env -i prefix/bin/carom doctor >/dev/null
  test -s prefix/share/man/man1/carom-run.1
)
(cd "$dist" && sha256sum -- * >SHA256SUMS)
ls -l "$dist"

if [ -n "$twice" ]; then
  section "the same once more, in another folder"
  git diff --quiet HEAD || { echo "commit first: the other folder is a clone"; exit 2; }
  # a name of another length: a path that got in anywhere would show
  other=$clean/another-folder-for-the-same-source
  git clone --quiet "$root" "$other"
  (cd "$other" && ./package.sh)
  for file in "$dist"/*; do
    cmp "$file" "$other/dist/$(basename "$file")" || { echo "not the same bytes: $(basename "$file")"; exit 1; }
  done
  echo "the same bytes"
fi
section "done: dist/"
