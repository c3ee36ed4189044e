# For test.sh and package.sh: Debian's packages, a Python that is new enough, virtual environments.

# Debian's packages by name; fails where they cannot be had.
debian_install() {
  local root=()
  [ "$(id -u)" = 0 ] || root=(sudo -n)
  "${root[@]}" apt-get update -qq && "${root[@]}" apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# Sets `python` to the first that is 3.10 or newer, as pyproject.toml asks.
find_python() {
  local candidate
  for candidate in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11 python3.10; do
    if [ -n "$candidate" ] && "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
      python=$candidate
      return
    fi
  done
  return 1
}

# python_environment FOLDER WORD ...: a virtual environment into which `pip install WORD ...` was done. Made where it is missing
# or broken; filled again where the words, or the files that they name, have changed.
python_environment() {
  local folder=$1 want word
  shift
  find_python || debian_install python3 && find_python ||
    { echo "Python is missing or too old: install 3.10 or newer, or name one in PYTHON, then run this again"; exit 2; }
  want="$("$python" --version) $*"
  for word in "$@"; do
    [ ! -f "$word" ] || want+=$'\n'$(cat "$word")
  done
  if [ "$(cat "$folder/filled-with" 2>/dev/null)" = "$want" ] && "$folder/bin/python" -c 'import pip' 2>/dev/null; then
    return
  fi
  rm -rf "$folder"
  if ! "$python" -m venv "$folder" >/dev/null 2>&1; then
    # Debian has the module in a package of its own
    debian_install python3-venv || { echo "the module venv is missing: install python3-venv, then run this again"; exit 2; }
    rm -rf "$folder"
    "$python" -m venv "$folder"
  fi
  "$folder/bin/pip" install --quiet --disable-pip-version-check "$@"
  printf '%s\n' "$want" >"$folder/filled-with"
}
