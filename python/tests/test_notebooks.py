"""Whatever the README, the Python pages of the book and the notebooks show runs, and prints what stands there."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

import carom

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "docs" / "src"
PAGES = sorted(p for p in [ROOT / "README.md", *BOOK.rglob("*.md")] if re.search(r"^```python", p.read_text(encoding="utf-8"), re.M))
NOTEBOOKS = sorted((ROOT / "python" / "notebooks").glob("*.ipynb"))

#: A fence: what it is, and what stands in it.
FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<body>.*?)^```$", re.M | re.S)


def fences(page: Path) -> list[tuple[str, str, int]]:
    text = page.read_text(encoding="utf-8")
    return [(m["info"].strip(), m["body"], text[: m.start()].count("\n") + 2) for m in FENCE.finditer(text)]


def test_there_are_pages_and_notebooks() -> None:
    assert len(PAGES) >= 8 and len(NOTEBOOKS) == 5
    table = (BOOK / "python" / "first-steps.md").read_text(encoding="utf-8")
    for notebook in NOTEBOOKS:
        assert f"`{notebook.stem}`" in table, "the book lists it"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_blocks_of_a_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """` ```python ` runs, in the order of the page and in one place; ` ```text output ` is what the block before it prints.
    ` ```python NAME ` needs the module NAME, and runs where that is installed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("webbrowser.open", lambda url: True)
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    for module in ("pandas", "scipy", "SALib", "distributed"):
        if re.search(rf"\b({module}|carom\.(sobol|morris))\b" if module == "SALib" else rf"\b{module}\b", page.read_text()):
            pytest.importorskip(module)
    if "ball.out/" in page.read_text(encoding="utf-8"):  # what `carom run ball` writes
        carom.load("ball").run(end=0.5).save("ball.out", npz=True)
    space: dict[str, Any] = {"__name__": "__main__"}
    printed = None
    left_out = False
    ran = 0
    for info, body, line in fences(page):
        where = f"{page.name}:{line}"
        if info == "text output" and left_out:
            continue
        if info == "text output":
            assert printed is not None, f"{where}: nothing ran before"
            assert printed.strip() == body.strip(), f"{where}: it prints\n{printed}"
            printed = None
            continue
        if not info.startswith("python"):
            continue
        needs = info.removeprefix("python").strip()
        printed = None
        left_out = False
        if needs:
            try:
                __import__(needs)
            except ImportError:
                left_out = True
                continue
        out = io.StringIO()
        code = compile("\n" * (line - 1) + body, str(page), "exec")
        with contextlib.redirect_stdout(out):
            exec(code, {"__name__": "__main__"} if needs else space)
        printed = out.getvalue()
        ran += 1
    assert ran


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebooks_run(notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    for module in ("ipykernel", "matplotlib", "pandas"):
        pytest.importorskip(module)
    monkeypatch.setenv("PYTHONPATH", str(Path(carom.__file__).parents[1]))
    monkeypatch.setenv("MPLBACKEND", "agg")
    book = nbformat.read(notebook, as_version=4)
    for cell in book.cells:
        assert not cell.get("outputs"), "outputs are stripped: the file stays small, and what it shows is never old"
    asserted = sum("assert " in cell.source for cell in book.cells)
    assert asserted >= 2, "a notebook tells facts"
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    first = next(cell for cell in book.cells if cell.get("outputs"))
    assert first.outputs
