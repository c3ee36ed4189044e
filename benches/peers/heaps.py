"""Heaps: 1000 spheres that fall into a box and lie in it, and a wall of 105 bricks, in Carom and in MuJoCo.

Spheres: radius 0.05 m, 1000 kg/m3, 10 x 10 x 10 lattice with pitch 0.11 m and a jitter of +-2 mm from a fixed seed, box 1.12 m wide,
lowest layer 0.25 m above the floor, friction 0.3, no restitution, h = 1 ms. "fall" is the first 0.5 s. "rest" begins with the packing
that MuJoCo has reached after 2.5 s. Wall: 10 rows of bricks 0.2 x 0.1 x 0.1 m in running bond, friction 0.5, gaps 0.1 mm upwards and
1 mm sideways.

    cargo build --release -p carom-model --example heap_speed
    python benches/peers/heaps.py write DIR          # lattice.txt, wall.txt; packing.txt too if mujoco is installed
    python benches/peers/heaps.py carom DIR [SOLVER]
    python benches/peers/heaps.py mujoco DIR

One thread, processor time.
"""
import os
import random
import subprocess
import sys
import time

R, RHO, MU, H, HALF = 0.05, 1000.0, 0.3, 1e-3, 0.56
PITCH, BRICK, GAP, SIDE = 0.11, (0.2, 0.1, 0.1), 1e-4, 1e-3
RUNS = (("lattice", 500, 0), ("packing", 100, 200), ("wall", 500, 100))  # file, steps, steps before them


def lattice():
    rnd = random.Random(12345)
    points = []
    for k in range(10):
        for j in range(10):
            for i in range(10):
                x, y, z = (rnd.uniform(-0.002, 0.002) for _ in range(3))
                points.append((PITCH * (i - 4.5) + x, PITCH * (j - 4.5) + y, 0.25 + R + PITCH * k + z))
    return points


def bricks(rows=10, columns=10):
    length, depth, height = BRICK
    pitch = length + SIDE
    left = -0.5 * columns * pitch
    half = (0.5 * (length - SIDE), depth, height)
    for r in range(rows):
        z = 0.5 * height + GAP + r * (height + GAP)
        if r % 2 == 0:
            yield from (((left + (c + 0.5) * pitch, 0.0, z), BRICK) for c in range(columns))
        else:
            yield (left + 0.25 * pitch, 0.0, z), half
            yield from (((left + (c + 1.0) * pitch, 0.0, z), BRICK) for c in range(columns - 1))
            yield (left + (columns - 0.25) * pitch, 0.0, z), half


def read(path):
    with open(path) as f:
        lines = [line.split() for line in f]
    return [(kind, tuple(map(float, numbers[:3])), tuple(map(float, numbers[3:]))) for kind, *numbers in lines]


def spheres(points):
    return [("s", point, (R,)) for point in points]


def write(path, bodies):
    with open(path, "w") as f:
        f.writelines(" ".join(map(repr, at + size)).join((kind + " ", "\n")) for kind, at, size in bodies)


def xml(bodies, solver):
    balls = bodies[0][0] == "s"
    geom = {"s": "sphere", "b": "box"}
    parts = "".join(
        f'<body pos="{x} {y} {z}"><freejoint/><geom type="{geom[kind]}" '
        f'size="{" ".join(str(s if kind == "s" else s / 2) for s in size)}" density="{RHO}"/></body>'
        for kind, (x, y, z), size in bodies)
    sides = ((-HALF, 0, 1, 0), (HALF, 0, -1, 0), (0, -HALF, 0, 1), (0, HALF, 0, -1)) if balls else ()
    walls = "".join(f'<geom type="plane" pos="{x} {y} 0" zaxis="{a} {c} 0" size="5 5 .1"/>' for x, y, a, c in sides)
    return (f'<mujoco><option timestep="{H}" gravity="0 0 -9.81" solver="{solver}"/><size memory="2G"/>'
            f'<default><geom friction="{MU if balls else 0.5} 0 0" condim="3"/></default>'
            f'<worldbody><geom type="plane" size="5 5 .1"/>{walls}{parts}</worldbody></mujoco>')


def settled(points):
    import mujoco
    model = mujoco.MjModel.from_xml_string(xml(spheres(points), "CG"))
    data = mujoco.MjData(model)
    for _ in range(2500):
        mujoco.mj_step(model, data)
    return [tuple(float(c) for c in p) for p in data.qpos.reshape(-1, 7)[:, :3]]


def in_mujoco(name, bodies, steps, before):
    import mujoco
    for solver in ("CG", "Newton") if name == "wall" else ("CG",):
        model = mujoco.MjModel.from_xml_string(xml(bodies, solver))
        data = mujoco.MjData(model)
        for _ in range(min(before, 5)):
            mujoco.mj_step(model, data)
        begun, contacts = time.process_time(), 0
        for _ in range(steps):
            mujoco.mj_step(model, data)
            contacts += data.ncon
        taken = time.process_time() - begun
        print(f"{name}: {solver}, {1e6 * taken / steps:.0f} us a step, {contacts / steps:.0f} contacts", flush=True)


def main():
    what, folder = sys.argv[1], sys.argv[2]
    path = lambda name: os.path.join(folder, name + ".txt")
    if what == "write":
        write(path("lattice"), spheres(lattice()))
        write(path("wall"), [("b", at, size) for at, size in bricks()])
        try:
            write(path("packing"), spheres(settled(lattice())))
        except ImportError:
            print("no packing: mujoco is not installed")
        return
    for name, steps, before in RUNS:
        if not os.path.exists(path(name)):
            continue
        if what == "mujoco":
            in_mujoco(name, read(path(name)), steps, before)
            continue
        solver = sys.argv[3] if len(sys.argv) > 3 else "auto"
        for tolerance in ("1e-6", "1e-9"):
            command = ["target/release/examples/heap_speed", path(name), str(steps), "moreau-midpoint", solver, tolerance, str(before)]
            print(f"{name}, residual {tolerance}:", subprocess.run(command, capture_output=True, text=True).stdout, flush=True)


if __name__ == "__main__":
    main()
