"""A tree of dictionaries as the text of a model file."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ._errors import InputError

# Deeper tables are written in a line.
_SECTIONS = 2
_BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def read(text: str) -> dict[str, Any]:
    """The tree of a text."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib.loads(text)


def read_value(text: str) -> Any:
    """A value as the command line takes it: TOML, or else a word."""
    try:
        return read(f"value = {text}")["value"]
    except ValueError:
        return text


def write(tree: Mapping[str, Any]) -> str:
    """The text, with every number in as many digits as it takes to read it back."""
    lines: list[str] = []
    _table(tree, (), lines)
    return "\n".join(lines).strip() + "\n"


def _table(table: Mapping[str, Any], path: tuple[str, ...], lines: list[str]) -> None:
    def is_section(value: Any) -> bool:
        return isinstance(value, Mapping) and len(path) < _SECTIONS

    plain = {key: value for key, value in table.items() if value is not None and not is_section(value)}
    if path and (plain or not table):
        lines.append(f"\n[{'.'.join(_key(key) for key in path)}]")
    for key, value in plain.items():
        lines.append(f"{_key(key)} = {value_text(value, (*path, key))}")
    for key, value in table.items():
        if is_section(value):
            _table(value, (*path, key), lines)


def _key(key: str) -> str:
    if not isinstance(key, str):
        raise InputError(f"a key is a string, not {key!r}")
    return key if key and set(key) <= _BARE else _string(key)


def _string(text: str) -> str:
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(escapes.get(c, c if c >= " " else f"\\u{ord(c):04x}") for c in text) + '"'


def value_text(value: Any, path: tuple[str, ...] = ()) -> str:
    """One value as TOML."""
    where = ".".join(path) or "a value"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, (bytes, bytearray)):
        raise InputError(f"{where} is {value!r}: text, not bytes")
    if isinstance(value, int):
        return str(value)
    if hasattr(value, "tolist"):  # NumPy
        return value_text(value.tolist(), path)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InputError(f"{where} is {value}, not a finite number")
        return repr(value)
    if isinstance(value, Mapping):
        inside = (f"{_key(k)} = {value_text(v, (*path, str(k)))}" for k, v in value.items() if v is not None)
        return "{ " + ", ".join(inside) + " }"
    if isinstance(value, Sequence):
        return "[" + ", ".join(value_text(v, path) for v in value) + "]"
    raise InputError(f"{where} is {value!r}: a model holds numbers, text, lists and dictionaries")
