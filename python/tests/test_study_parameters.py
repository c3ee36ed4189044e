"""Which parameters matter, which ones fit, how far results scatter: against closed forms."""

from __future__ import annotations

import math
from typing import Any

import numpy
import pytest

import carom
from sweeping import ball

# --- sensitivity: after a fall through h the ball rises by e² h, whatever its mass

RANGES = {"e": (0.5, 0.9), "h": (0.5, 1.5), "bodies.ball.mass": (1.0, 2.0)}
RUN = {"scheme": "hybrid", "step": 2e-2, "end": 0.6}


def _rise(result: carom.Result) -> float:
    return _impact(result, "after") ** 2 / 20


def _fall(result: carom.Result) -> float:
    return _impact(result, "before") ** 2 / 20


def _impact(result: carom.Result, when: str) -> float:
    events = result.events
    return float(events[events.kind == "impact"][when].iloc[0])


def _exact() -> tuple[dict[str, float], dict[str, float]]:
    """Indices of Y = A B with A = e², B = h independent: V = E A² E B² − (E A E B)²."""
    moment = lambda a, b, k: (b ** (k + 1) - a ** (k + 1)) / ((k + 1) * (b - a))  # noqa: E731
    EA, EA2 = moment(0.5, 0.9, 2), moment(0.5, 0.9, 4)
    EB, EB2 = moment(0.5, 1.5, 1), moment(0.5, 1.5, 2)
    V = EA2 * EB2 - (EA * EB) ** 2
    first = {"e": (EA2 - EA**2) * EB**2 / V, "h": (EB2 - EB**2) * EA**2 / V, "bodies.ball.mass": 0.0}
    total = {"e": 1 - first["h"], "h": 1 - first["e"], "bodies.ball.mass": 0.0}
    return first, total


def test_indices_of_sobol_are_those_of_the_closed_form() -> None:
    pytest.importorskip("SALib")
    found = carom.sobol(ball(), RANGES, _rise, n=256, run=RUN)
    first, total = _exact()
    assert 0.4 < first["e"] < first["h"] + 0.2 < 0.8, "neither decides alone"
    for name, indices in found.items():
        # at 256 points the quadrature of Saltelli is right to some hundredths; its own confidence says as much
        for word, exact in (("first", first[name]), ("total", total[name])):
            assert abs(indices[word] - exact) < max(0.03, indices[f"{word}_confidence"]), (name, word, indices, exact)
    assert abs(found["bodies.ball.mass"]["total"]) < 1e-6, "a mass has no say"


def test_elementary_effects_of_morris() -> None:
    """The fall is linear in h alone: one effect, without spread. The rise is not, and e and h share it."""
    pytest.importorskip("SALib")
    fall = carom.morris(ball(), RANGES, _fall, n=6, run=RUN)
    assert fall["h"]["mu"] == pytest.approx(1.0, rel=1e-6) and fall["h"]["sigma"] < 1e-6
    assert fall["e"]["mu_star"] < 1e-6 and fall["bodies.ball.mass"]["mu_star"] < 1e-6
    rise = carom.morris(ball(), RANGES, _rise, n=6, run=RUN)
    assert rise["e"]["sigma"] > 0.05 and rise["h"]["sigma"] > 0.05
    # slopes are between those at the ends: e² h goes by 0.56 h over e, and by e² over h
    assert 0.56 * 0.5 <= rise["e"]["mu_star"] <= 0.56 * 1.5 and 0.25 <= rise["h"]["mu_star"] <= 0.81


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: carom.sobol(ball(), RANGES, _rise, n=100), carom.InputError, "power of two"),
        (lambda: carom.sobol(ball(), {}, _rise), carom.InputError, "which parameters"),
        (lambda: carom.sobol(ball(), {"e": (0.9, 0.5)}, _rise), carom.InputError, "must go up"),
        (lambda: carom.sobol(ball(), {"bodies.ball.mass": (1.0, 2.0)}, "ball.y:max", n=2), carom.Error, "none of the"),
        (lambda: carom.morris(ball(), {"e": (0.5, 1.5)}, "ball.y:max", n=4), carom.Error, "runs failed; case"),
        (lambda: carom.morris(ball(), RANGES, _rise, n=1), carom.InputError, "from 2 on"),
        (lambda: carom.morris(ball(), RANGES, "ball.q:max"), carom.InputError, "no channel `ball.q`"),
        (lambda: carom.morris(ball(), RANGES, lambda r: math.nan, n=2), carom.Error, "no finite number"),
    ],
)
def test_slips_in_a_sensitivity(call: Any, error: type[Exception], words: str) -> None:
    pytest.importorskip("SALib")
    with pytest.raises(error, match=words):
        call()


# --- parameters from data

PUCK = """
gravity = [0, -10]

[parameters]
mu = 0.3
v = 2.0

[ground.shapes.floor]
type = "line"
through = [0, 0]
normal = [0, 1]

[bodies.puck]
mass = 1
position = [0, 0]
velocity = ["=v", 0]

[contacts.rub]
between = ["puck", "ground.floor"]
friction = "=mu"

[simulation]
scheme = "moreau-jean"
step = 1e-3
end = 0.5
"""


def puck() -> carom.Model:
    return carom.Model.from_text(PUCK, name="puck.toml", files={})


def test_friction_and_speed_from_noisy_data() -> None:
    """x = v t − μ g t²/2 while it slides: linear in both, so that their deviations have a closed form too."""
    pytest.importorskip("scipy")
    noise, mu, v = 2e-3, 0.25, 2.2
    t = numpy.linspace(0.01, 0.5, 50)
    x = v * t - 5 * mu * t**2 + noise * numpy.random.default_rng(4).standard_normal(len(t))
    found = carom.fit(puck(), {"mu": 0.4, "v": 1.5}, {"puck.x": (t, x)})
    slopes = numpy.array([-5 * t**2, t]).T
    exact = noise * numpy.sqrt(numpy.diag(numpy.linalg.inv(slopes.T @ slopes)))
    for (name, truth), deviation in zip((("mu", mu), ("v", v)), exact):
        # the noise is known up to the factor √(1 ± √(2/48)); the scheme is of first order: μ g dt/2 · t
        assert found.deviations[name] == pytest.approx(deviation, rel=0.35)
        assert abs(found.parameters[name] - truth) < 3.5 * deviation + 5e-3 * truth, (name, found)
    best = numpy.linalg.lstsq(slopes, x, rcond=None)[0]
    assert [found.parameters["mu"], found.parameters["v"]] == pytest.approx(best, rel=1e-2)
    assert found.converged and found.rms["puck.x"] == pytest.approx(noise, rel=0.3)
    assert found.result.digest == puck().run(**found.parameters).digest, "the run is that of the parameters"


def test_restitution_from_noisy_heights() -> None:
    """Two bounces with 5 mm of noise; times of impacts move with e."""
    pytest.importorskip("scipy")
    e, h, g = 0.73, 1.0, 10.0
    t = numpy.linspace(0.02, 1.4, 120)
    hit = math.sqrt(2 * h / g)
    up = e * g * hit
    s = t - hit
    second = s - 2 * up / g
    y = numpy.where(s < 0, h - g * t**2 / 2, numpy.where(second < 0, up * s - g * s**2 / 2, e * up * second - g * second**2 / 2))
    y = y + 5e-3 * numpy.random.default_rng(1).standard_normal(len(t))
    run = {"scheme": "hybrid", "accuracy": 1e-6, "end": 1.5}
    found = carom.fit(ball(), {"e": 0.6}, {"ball.y": (t, y)}, bounds={"e": (0.1, 1.0)}, run=run)
    assert abs(found.parameters["e"] - e) < 4 * found.deviations["e"] < 0.01, found
    assert found.rms["ball.y"] == pytest.approx(5e-3, rel=0.25) and found.runs < 60


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"start": {}}, "which parameters"),
        ({"start": {"mu": math.nan}}, "not at a finite number"),
        ({"start": {"friction": 0.3}}, "friction"),
        ({"data": {}}, "no data"),
        ({"data": {"puck.z": ([0.1], [0.2])}}, "no channel `puck.z`"),
        ({"data": {"puck.x": ([0.1, 0.2], [0.2])}}, "of one length"),
        ({"data": {"puck.x": ([0.1, 0.2], [0.2, math.nan])}}, "values of `puck.x`.*not finite"),
        ({"data": {"puck.x": ([0.1, 0.7], [0.2, 0.3])}}, r"the run from 0 to 0.5.*end"),
        ({"bounds": {"v": (0, 1)}}, "`v`, which is not among"),
        ({"bounds": {"mu": (0.4, 0.6)}}, "outside its bounds"),
        ({"step": 0.0}, "between 0 and 1"),
    ],
)
def test_slips_in_a_fit(options: dict[str, Any], words: str) -> None:
    pytest.importorskip("scipy")
    given = {"start": {"mu": 0.3}, "data": {"puck.x": ([0.1, 0.2], [0.2, 0.3])}, **options}
    with pytest.raises((carom.InputError, carom.ModelError), match=words):
        carom.fit(puck(), **given)


# --- scatter


def test_bands_of_a_fall_are_those_of_its_height() -> None:
    """Until it lands, y = h − g t²/2: with h even between 0.9 and 1.1, nine of ten within 0.09, at every time."""
    n = 200
    scatter = carom.uncertainty(ball(), {"h": (0.9, 1.1)}, n=n, run={"end": 0.4}, channels=["ball.y", "ball.vy"])
    low, high = scatter.span("ball.y")
    part = 0.2 / n  # of the range
    nominal = ball().run(end=0.4)
    assert scatter.result.digest == nominal.digest
    assert numpy.allclose(low, nominal["ball.y"] - 0.09, atol=1.5 * part)
    assert numpy.allclose(high, nominal["ball.y"] + 0.09, atol=1.5 * part)
    assert numpy.allclose(scatter.band("ball.y"), 0.09, atol=1.5 * part)
    assert numpy.allclose(scatter.band("ball.y", 0.5), 0.05, atol=1.5 * part)
    assert scatter.band("ball.vy").max() < 1e-9, "all fall alike"
    assert scatter.curves("ball.y").shape == (n, len(scatter.t)) and scatter.channels == ["ball.y", "ball.vy"]


def test_bands_are_on_the_page(tmp_path: Any) -> None:
    text = puck().text.replace("gravity = [0, -10]", 'units = "mm"\ngravity = [0, -10000]').replace("v = 2.0", "v = 2000")
    model = carom.Model.from_text(text, name="puck.toml", files={})
    scatter = carom.uncertainty(model, {"mu": (0.2, 0.4)}, n=20)
    page = scatter.save(tmp_path / "page.html").read_text()
    assert "hold 90 % of 20 runs with mu from 0.2 to 0.4" in page
    assert "Certified" not in scatter.words and scatter.result.verdict in page
    # stopping at v²/(2 μ g) would be after the end: x scatters by Δμ g t²/2 = 0.09 · 10 000 · 0.125 mm
    assert scatter.band("puck.x")[-1] == pytest.approx(0.09 * 1e4 * 0.125, rel=0.06)
    assert _banded(page) == set(scatter.channels)


def _banded(page: str) -> set[str]:
    """Names of the channels that have a band in the data of the page."""
    import json

    data = page.split('id="data">')[1].split("</script>")[0]
    [run] = json.loads(data)["runs"]
    return {channel["name"] for channel in run["channels"] if "band" in channel}


def test_runs_that_fail_are_not_in_the_bands() -> None:
    scatter = carom.uncertainty(ball(), {"e": (0.9, 1.1)}, n=20, run={"end": 0.1}, channels=["ball.y"])
    assert len(scatter.failed) == 10 and "restitution" in scatter.failed[0]
    assert scatter.curves("ball.y").shape[0] == 10 and "10 more failed" in scatter.words
    with pytest.raises(carom.Error, match="all 5 runs failed.*restitution"):
        carom.uncertainty(ball(), {"e": (1.1, 1.2)}, n=5)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ranges": {}}, "a key with a range"),
        ({"share": 0}, "share"),
        ({"channels": ["ball.z"]}, "no channel `ball.z`"),
        ({"n": 10**9}, "GB: name the `channels`"),
    ],
)
def test_slips_in_a_scatter(options: dict[str, Any], words: str) -> None:
    with pytest.raises(carom.InputError, match=words):
        carom.uncertainty(ball(), **{"ranges": {"e": (0.5, 0.6)}, **options})
