"""What there is, by name."""

from __future__ import annotations

from . import _carom


def schemes() -> dict[str, str]:
    """Names of the schemes, with a line each.

    >>> import carom
    >>> "moreau-jean" in carom.schemes()
    True
    """
    return dict(_carom.listed("schemes"))


def solvers() -> dict[str, str]:
    """Names of the contact solvers, with a line each."""
    return dict(_carom.listed("solvers"))


def systems() -> dict[str, str]:
    """Names of the coded systems, with a title each."""
    return dict(_carom.listed("systems"))


def studies() -> dict[str, str]:
    """Names of the published studies, with a title each."""
    return dict(_carom.listed("studies"))


def gallery() -> dict[str, str]:
    """Names of the models that come with Carom, with a title each."""
    return dict(_carom.listed("gallery"))
