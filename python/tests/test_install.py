"""What `pip install` leaves behind: a package and a command that agree on their version, and that run."""

from __future__ import annotations

import importlib.metadata
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import carom

ROOT = pathlib.Path(__file__).resolve().parents[2]


def command() -> str:
    """The command of the environment in which the tests run."""
    found = shutil.which("carom", path=str(pathlib.Path(sys.executable).parent))
    assert found is not None, "pip installs the command beside the interpreter"
    return found


def run(*words: str, folder: pathlib.Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([command(), *words], cwd=folder, capture_output=True, text=True, timeout=120)


def test_one_version_everywhere(tmp_path: pathlib.Path) -> None:
    said = run("--version", folder=tmp_path)
    assert said.returncode == 0
    assert said.stdout == f"carom {carom.__version__}\n"
    assert importlib.metadata.version("carom") == carom.__version__
    workspace = (ROOT / "Cargo.toml").read_text()
    stated = re.search(r'^version = "(.*)"$', workspace, re.MULTILINE)
    assert stated is not None and stated[1] == carom.__version__


def test_the_command_runs_a_model(tmp_path: pathlib.Path) -> None:
    done = run("run", "ball", "--quiet", "--out", "ball.out", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {"report.html", "series.csv", "summary.json"} <= {file.name for file in (tmp_path / "ball.out").iterdir()}


def test_the_command_ends_with_the_code_of_bad_input(tmp_path: pathlib.Path) -> None:
    done = run("run", "no-such-model", folder=tmp_path)
    assert done.returncode == 2
    assert "no-such-model" in done.stderr


def test_a_run_from_python() -> None:
    result = carom.load("ball").run(end=0.3)
    # the ball of the gallery falls from 1.001 m at rest, g = 10 m/s²; a fall at constant force is integrated exactly
    assert result.t[-1] == pytest.approx(0.3, abs=1e-12)
    assert result["ball.y"][-1] == pytest.approx(1.001 - 0.5 * 10 * 0.3**2, abs=1e-9)


def test_an_old_python_is_refused() -> None:
    # pip reads this line and says: "Package 'carom' requires a different Python: 3.9.18 not in '>=3.10'"
    assert importlib.metadata.metadata("carom")["Requires-Python"] == ">=3.10"
