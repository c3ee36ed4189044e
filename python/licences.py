"""Prints names, versions and licence texts of the crates that are built into a package of the workspace.

Usage: python3 python/licences.py PACKAGE
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

# what authors call the files in which their licence stands
NAMES = ("licen", "copying", "unlicense", "notice", "copyright")


def output(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def built_in(package: str) -> list[dict[str, object]]:
    """Crates other than ours that `package` stands on, as far as they end in what is built."""
    host = next(line.split()[1] for line in output("rustc", "-vV").splitlines() if line.startswith("host: "))
    data = json.loads(output("cargo", "metadata", "--format-version=1", "--locked", f"--filter-platform={host}"))
    packages = {entry["id"]: entry for entry in data["packages"]}
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    ours = set(data["workspace_members"])
    waiting = [key for key in ours if packages[key]["name"] == package]
    if not waiting:
        sys.exit(f"there is no package {package} in the workspace")
    seen = set(waiting)
    while waiting:
        for dependency in nodes[waiting.pop()]["deps"]:
            # neither tests nor build scripts end in the program
            normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if normal and dependency["pkg"] not in seen:
                seen.add(dependency["pkg"])
                waiting.append(dependency["pkg"])
    others = (packages[key] for key in seen - ours)
    return sorted(others, key=lambda entry: (entry["name"], entry["version"]))


def main() -> None:
    texts: dict[str, str] = {}
    for entry in built_in(sys.argv[1]):
        folder = pathlib.Path(str(entry["manifest_path"])).parent
        files = sorted(f for f in folder.iterdir() if f.is_file() and f.name.lower().startswith(NAMES))
        name = f"{entry['name']} {entry['version']}"
        print(f"== {name}: {entry['license'] or 'see below'}")
        for file in files:
            text = file.read_text(encoding="utf-8", errors="replace").strip()
            # most texts are the same but for the names in them; the same one is printed once
            same = texts.setdefault(text, name)
            print(f"-- {file.name}" + ("" if same == name else f": as of {same}"))
            if same == name:
                print(f"\n{text}\n")
        print()


main()
