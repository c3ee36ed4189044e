"""Ctrl-C during runs, in another process that really gets the signal."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time

import pytest

# Between the signal and the end of the process (s); the machine may be busy.
PATIENCE = 10.0

# It never rests.
LONG = 'model = carom.load("ball").set({"simulation.end": 1e4, "contacts.floor.restitution": 1})'
# Python computes most of the time: the signal arrives inside the function.
SLOW = """
import math
model = carom.Model()
model.body("m", mass=1, position=[1, 0])
model.force("f", "force", on="m", force=["=pull(m.x)", 0])
model.function("pull", lambda x: -sum(math.sin(x) for _ in range(20)))
model.settings(end=1e4)
"""


def interrupted(code: str, number: int = signal.SIGINT) -> subprocess.CompletedProcess[str]:
    """Runs code that prints `ready` before what is to be interrupted."""
    code = "import carom, time\n" + textwrap.dedent(code)
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n", process.stderr and process.stderr.read()
    time.sleep(0.3)
    process.send_signal(number)
    begin = time.monotonic()
    out, err = process.communicate(timeout=60)
    assert time.monotonic() - begin < PATIENCE
    return subprocess.CompletedProcess([], process.returncode, out, err)


@pytest.mark.parametrize("model", [LONG, SLOW], ids=["Rust", "Python"])
@pytest.mark.parametrize(
    "act",
    [
        "model.run()",
        "model.run(estimate=False)",
        "model.run(scheme='dopri5', accuracy=1e-8)",
        "model.simulation().run_until(9e3)",
        "model.simulation().step(10**9)",
    ],
)
def test_ctrl_c_ends_a_run_with_what_was_recorded(act: str, model: str) -> None:
    done = interrupted(f"""
{textwrap.indent(textwrap.dedent(model), "")}
print("ready", flush=True)
try:
    {act}
except KeyboardInterrupt as error:
    assert isinstance(error, carom.Interrupted), error
    assert str(error).startswith("interrupted at t = "), error
    assert len(error.result) > 1 and error.result.t[-1] > 0
    print(error.result.stop)
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")


def test_an_interrupted_simulation_goes_on() -> None:
    done = interrupted(f"""
{LONG}
simulation = model.simulation()
print("ready", flush=True)
try:
    simulation.run_until(9e3)
except carom.Interrupted:
    t = simulation.t
    assert 0 < t < 9e3 and not simulation.is_over
    assert simulation.run_until(t + 1.0) and simulation.step()
    assert simulation.t > t + 0.999
    print("on")
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "on\n", "")


def test_ctrl_c_passes_those_who_catch_errors() -> None:
    done = interrupted(f"""
{LONG}
print("ready", flush=True)
try:
    model.run()
except Exception:
    print("swallowed")
""")
    assert done.returncode in (-signal.SIGINT, 1, 130) and done.stdout == "" and "Interrupted: interrupted at" in done.stderr


def test_a_loop_of_steps_in_python_is_interrupted_as_any_loop() -> None:
    done = interrupted(f"""
{LONG}
simulation = model.simulation()
print("ready", flush=True)
try:
    while simulation.step():
        pass
except KeyboardInterrupt:
    print(simulation.t > 0)
""")
    assert (done.returncode, done.stdout) == (0, "True\n")


def test_other_threads_run_meanwhile() -> None:
    """The interpreter is free while Rust computes: another thread counts."""
    code = """
import carom, threading, time
counted = 0
stop = False
def count():
    global counted
    while not stop:
        counted += 1
        time.sleep(1e-4)
thread = threading.Thread(target=count); thread.start()
begin = time.monotonic()
carom.load("ball").run(end=400.0, estimate=False, progress=False)
took = time.monotonic() - begin
stop = True; thread.join()
# a thread that was kept waiting would have counted once or twice
print(counted > 20 and took > 0.02, counted, took)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": ":".join(sys.path)}, check=True
    )
    assert done.stdout.startswith("True"), done.stdout


def test_the_command_is_interrupted_with_its_exit_code() -> None:
    done = interrupted("""
import sys, carom.__main__
print("ready", flush=True)
sys.argv = ["carom", "run", "ball", "--end", "1e5", "--out", "/tmp/carom-interrupted.out"]
carom.__main__.main()
""")
    assert done.returncode == 130
