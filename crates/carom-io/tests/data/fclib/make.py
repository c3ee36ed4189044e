"""Makes the HDF5 files beside it, in several of the ways in which h5py can write the layout of FCLIB.

Usage: make.py        (wants h5py and numpy)

    planar.hdf5       local, 2D, two contacts, columns; planar.dat is the same problem as text
    joints.hdf5       local, 3D, two contacts and two equations, rows, with its solution; the newest form of HDF5, so many
                      members in W that their names are kept apart
    global.hdf5       global, 3D, one contact and one equation, triplets; in chunks, deflated, big end first
    packed.hdf5       planar.hdf5 with q packed by another filter than deflate (lzf)
"""

from pathlib import Path

import h5py
import numpy as np

HERE = Path(__file__).resolve().parent


def put(group, name, numbers, kind, **how):
    group.create_dataset(name, data=np.atleast_1d(np.asarray(numbers)).astype(kind), **how)


def matrix(group, name, dense, form, whole="<i4", real="<f8", **how):
    """Columns (nz = -1), rows (-2) or triplets (their number)."""
    dense = np.asarray(dense, dtype=float)
    m, n = dense.shape
    places = [(i, j) for j in range(n) for i in range(m) if dense[i, j]]
    if form == "rows":
        places.sort()
    values = [dense[place] for place in places]
    rows, columns = [i for i, _ in places], [j for _, j in places]
    if form == "triplets":
        nz, p, i = len(values), columns, rows
    else:
        many, line, i = (n, columns, rows) if form == "columns" else (m, rows, columns)
        nz, p = {"columns": -1, "rows": -2}[form], np.searchsorted(line, range(many + 1))
    group = group.create_group(name)
    for key, number in [("nzmax", len(values)), ("m", m), ("n", n), ("nz", nz)]:
        put(group, key, number, whole)
    put(group, "p", p, whole)
    put(group, "i", i, whole)
    put(group, "x", values, real, **how)
    return group


def planar(name, libver="earliest", **how):
    W = np.array([[2.08, -1.44, 0.5, 0], [-1.44, 2.92, 0, 0.25], [0.5, 0, 3, 1 / 3], [0, 0.25, 1 / 3, 4]])
    q, mu = [-1, 2, -0.1, 1e-3], [0.5, 0.3]
    with h5py.File(HERE / name, "w", libver=libver) as file:
        problem = file.create_group("fclib_local")
        put(problem, "spacedim", 2, "<i4")
        matrix(problem, "W", W, "columns")
        vectors = problem.create_group("vectors")
        put(vectors, "q", q, "<f8", **how)
        put(vectors, "mu", mu, "<f8")
        info = problem.create_group("info")
        info.create_dataset("title", data=np.bytes_("two contacts in the plane"))
    return W, q, mu


def planar_text(W, q, mu):
    words = lambda numbers: " ".join(repr(float(x)) for x in numbers)
    lines = ["2", "2", "0", "4", "4", "4\t4", *map(words, W.T), words(q), words(mu)]
    (HERE / "planar.dat").write_text("\n".join(lines) + "\n")


def joints():
    A = np.array([[(3 * i + 5 * j) % 7 - 3 for j in range(8)] for i in range(8)]) / 4
    whole = A @ A.T + np.eye(8)
    W, V, R = whole[:6, :6], whole[:6, 6:], whole[6:, 6:]
    # Both contacts stick, U = 0: r inside the cones, the equations under load.
    r, l = np.array([1, 0.25, -0.125, 2, 0.5, 0.75]), np.array([-3, 0.5])
    with h5py.File(HERE / "joints.hdf5", "w", libver="latest") as file:
        problem = file.create_group("fclib_local")
        put(problem, "spacedim", 3, "<i4")
        W = matrix(problem, "W", W, "rows")
        for key in ["conditioning", "determinant"]:
            put(W, key, 0, "<f8")
        put(W, "rank", 6, "<i4")
        W.create_dataset("comment", data=np.bytes_("eleven members"))
        matrix(problem, "V", V, "rows")
        matrix(problem, "R", R, "rows")
        vectors = problem.create_group("vectors")
        put(vectors, "q", -whole[:6] @ [*r, *l], "<f8")
        put(vectors, "s", -whole[6:] @ [*r, *l], "<f8")
        put(vectors, "mu", [0.5, 0.5], "<f8")
        solution = file.create_group("solution")
        put(solution, "u", np.zeros(6), "<f8")
        put(solution, "r", r, "<f8")
        put(solution, "l", l, "<f8")
        # Room for a guess that nobody filled.
        file.create_dataset("guesses/1/r", shape=(6,), dtype="<f8")
        file.create_dataset("guesses/1/l", shape=(2,), dtype="<f8")


def one_global():
    M, H, G = np.diag([2, 2, 4, 8]), np.eye(4)[:, [2, 0, 1]], np.array([[0, 0, 1, 1]]).T
    packed = dict(chunks=(2,), compression="gzip", shuffle=True)
    with h5py.File(HERE / "global.hdf5", "w") as file:
        problem = file.create_group("fclib_global")
        put(problem, "spacedim", 3, ">i2")
        matrix(problem, "M", M, "triplets", ">i8", ">f8", **packed)
        matrix(problem, "H", H, "triplets", "<u4", "<f4", chunks=(1,), fletcher32=True)
        matrix(problem, "G", G, "triplets")
        vectors = problem.create_group("vectors")
        put(vectors, "f", [-1, 2, -16, 24], "<f8", chunks=(3,))
        put(vectors, "w", [0.5, 0, 0], "<f8")
        put(vectors, "b", [0.25], "<f8")
        put(vectors, "mu", [0.75], "<f4")


planar_text(*planar("planar.hdf5"))
planar("packed.hdf5", libver="latest", chunks=(4,), compression="lzf")
joints()
one_global()
