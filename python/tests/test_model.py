"""Models: read, changed, built, written and read back."""

from __future__ import annotations

import copy
import math
import pickle
from pathlib import Path

import numpy as np
import pytest

import carom
from carom import _toml
from models import bouncing_disk, cart, pendulum, spinning_ball

# Steps that are enough to see that two models are the same.
FEW = 10


def test_a_built_model_in_millimetres_falls_and_bounces_as_it_must() -> None:
    result = bouncing_disk(scheme="hem5").run(step=1e-4)
    first = result.events[result.events.kind == "impact"].iloc[0]
    t = math.sqrt(2 * 280 / 9810)
    assert first["t"] == pytest.approx(t, abs=1e-9)
    assert first["before"] == pytest.approx(-9810 * t, rel=1e-9)
    # Poisson's and Newton's law are one here: e = 0.6, in mm/s
    assert first["after"] == pytest.approx(0.6 * 9810 * t, rel=1e-9)
    # the tip of the bounce: e² of the height
    between = (result.t > t) & (result.t < t + 2 * 0.6 * t)
    assert result["disk.y"][between].max() == pytest.approx(20 + 0.36 * 280, rel=1e-4)
    # friction either stops the sliding or has μ times the normal impulse
    assert result["disk.vx"][-1] < 200


def test_a_built_model_in_space_is_stopped_by_its_friction() -> None:
    result = spinning_ball(scheme="hem5", end=0.2).run()
    t = math.sqrt(2 * 100 / 9810)
    impact = result.events[result.events.kind == "impact"].iloc[0]
    assert impact["t"] == pytest.approx(t, abs=1e-6)
    # sliding through the impact: Δv = μ (1 + e) v_n, below 2/7 of what it slides with
    v_n = 9810 * t
    after = np.searchsorted(result.t, t) + 2
    slid = 0.2 * 1.5 * v_n
    assert slid > 500 * 2 / 7  # it sticks: rolling keeps 5/7 of the velocity
    assert result["ball.vx"][after] == pytest.approx(500 * 5 / 7, rel=1e-6)
    assert result["ball.wz"][after] == pytest.approx(40)


@pytest.mark.parametrize("build", [bouncing_disk, pendulum, cart, spinning_ball])
def test_what_is_built_is_written_and_read_back_to_the_same_digest(build, tmp_path: Path) -> None:
    model = build(end=0.3)
    again = carom.load(model.save(tmp_path / "model.toml"))
    assert again.text == model.text
    assert again.run(estimate=False).digest == model.run(estimate=False).digest


def test_changes_are_written_too(tmp_path: Path) -> None:
    changed = bouncing_disk(end=0.3).set({"contacts.floor.restitution": 0.25, "bodies.disk.position": [0, 150]})
    again = carom.load(changed.save(tmp_path / "model.toml"))
    assert again.run(estimate=False).digest == changed.run(estimate=False).digest
    assert again.run(estimate=False).digest != bouncing_disk(end=0.3).run(estimate=False).digest


def test_another_scheme_is_written_without_the_parameters_of_the_old_one(tmp_path: Path) -> None:
    model = pendulum(scheme="generalized-alpha", parameters={"rho": 0.8}, end=0.1).set({"simulation.scheme": "bathe"})
    again = carom.load(model.save(tmp_path / "model.toml"))
    assert again.run(estimate=False).digest == model.run(estimate=False).digest


@pytest.mark.parametrize("name", sorted(set(carom.gallery()) - set(carom.systems())))
def test_every_gallery_model_survives_being_written_anew(name: str) -> None:
    model = carom.load(name)
    written = _toml.write(_toml.read(model.text))
    again = carom.Model.from_text(written, files=dict(model._files or []))
    first, second = model.simulation(), again.simulation()
    first.step(FEW), second.step(FEW)
    assert first.result.digest == second.result.digest


def test_a_gallery_model_is_saved_with_the_files_that_it_names(tmp_path: Path) -> None:
    named = [name for name in carom.gallery() if carom.load(name)._files]
    assert named
    for name in named:
        model = carom.load(name)
        again = carom.load(model.save(tmp_path / f"{name}.toml"))
        assert again.check()["bodies"] == model.check()["bodies"]


def test_a_model_is_read_from_text_file_folder_gallery_and_system(tmp_path: Path) -> None:
    text = pendulum().text
    (tmp_path / "model.toml").write_text(text)
    digests = {
        carom.loads(text).run(end=0.1, estimate=False).digest,
        carom.load(tmp_path).run(end=0.1, estimate=False).digest,
        carom.load(str(tmp_path / "model.toml")).run(end=0.1, estimate=False).digest,
    }
    assert len(digests) == 1
    assert carom.load("ball").run(end=0.1).stop == "done"
    assert carom.load("stiff-3dof-spring", k=20).run(step=1e-3, end=0.01, estimate=False).stop == "done"


def test_parameters_change_by_keyword_and_keys_by_path() -> None:
    model = carom.load("ball")
    low, high = model.run(end=0.05, h0=0.9), model.set(h0=1.1).run(end=0.05)
    assert high["ball.y"][0] - low["ball.y"][0] == pytest.approx(0.2)
    assert model.run(end=0.05)["ball.y"][0] == carom.load("ball", h0=1.001).run(end=0.05)["ball.y"][0]
    numpy_number = model.set(h0=np.float64(1.1)).run(end=0.05)
    assert numpy_number.digest == high.digest
    assert model.set({"parameters.h0": "=1 + 0.1"}).run(end=0.05)["ball.y"][0] == high["ball.y"][0]


def test_the_model_that_is_changed_stays_as_it_is() -> None:
    model = bouncing_disk(end=0.1)
    before = model.text
    other = model.set({"bodies.disk.mass": 7})
    other.body("more", mass=1)
    shallow = copy.copy(model)
    assert model.text == before == shallow.text
    assert "more" in other.text


def test_lists_that_are_handed_over_are_copied() -> None:
    position = [0.0, 1.0]
    model = carom.Model()
    model.body("a", mass=1, position=position)
    position[1] = 5.0
    assert "position = [0.0, 1.0]" in model.text


def test_numpy_arrays_and_numbers_are_written_with_every_digit() -> None:
    model = carom.Model(gravity=np.array([0.0, -9.81]))
    third = np.float64(1) / 3
    model.body("a", mass=third, position=np.array([third, np.float32(0.5)]), velocity=(np.int64(3), True and 4))
    back = _toml.read(model.text)["bodies"]["a"]
    assert back["mass"] == 1 / 3 and back["position"] == [1 / 3, 0.5] and back["velocity"] == [3, 4]


@pytest.mark.parametrize("word", ['say "hi"', "tab\tnew\nline", "back\\slash", "ümläut ₙ", "\x01"])
def test_any_text_is_written_so_that_it_is_read_back(word: str) -> None:
    assert _toml.read(_toml.write({"title": word, "parameters": {word: 1}})) == {"title": word, "parameters": {word: 1}}


def test_adding_to_a_model_that_was_read() -> None:
    model = carom.load("ball")
    model.body("second", mass=1, position=[3, 5])
    result = model.run(end=0.2, estimate=False)
    alone = carom.load("ball").run(end=0.2, estimate=False)
    assert (result["ball.y"] == alone["ball.y"]).all()
    assert result["second.y"][-1] == pytest.approx(5 - 0.5 * 9.81 * 0.04, rel=1e-2)


def test_models_are_pickled() -> None:
    model = bouncing_disk(end=0.1).set({"bodies.disk.mass": 2})
    again = pickle.loads(pickle.dumps(model))
    assert again.run(estimate=False).digest == model.run(estimate=False).digest


def test_check_modes_and_warnings() -> None:
    check = carom.check(cart())
    assert check["degrees_of_freedom"] == 2 and check == cart().check()
    assert [body["name"] for body in check["bodies"]] == ["cart", "pole"]
    beam = carom.loads("""
        [bodies.rod]
        points = { root = [0, 0], tip = [1, 0] }
        elastic = { type = "beam", length = 1, elements = 8, young = 2e11, area = 1e-4, second_moment = 1e-9, density = 7800 }
        [joints.clamp]
        type = "weld"
        between = ["ground", "rod.root"]
    """)
    [rod] = carom.modes(beam, count=2)
    # Euler–Bernoulli, clamped and free: ω = (1.8751/l)² √(EI/ρA)
    exact = 1.8751040687**2 * math.sqrt(2e11 * 1e-9 / (7800 * 1e-4)) / (2 * math.pi)
    assert rod["modes"][0]["frequency"] == pytest.approx(exact, rel=1e-3)
    assert all(isinstance(words, str) for words in carom.load("ball").warnings())


def test_a_repr_says_what_was_changed() -> None:
    assert repr(carom.load("ball").set(h0=2)) == "<carom.Model ball, h0=2>"


def test_the_record_says_how_to_repeat_the_run(tmp_path: Path) -> None:
    result = carom.load("ball").set(h0=2).run(end=0.1, scheme="moreau-jean")
    assert "carom.load('ball').set({'h0': '2'}).run(scheme='moreau-jean', end=0.1)" in result.html
    assert "model.run(end=0.1)" in bouncing_disk().run(end=0.1).html


# --- bad input


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: carom.load("bal"), "did you mean `ball`"),
        (lambda: carom.load("no/such/file.toml"), "no model file"),
        (lambda: carom.load("ball", h9=1).run(), "h9"),
        (lambda: carom.load("ball").run(scheme="baathe"), "did you mean `bathe`"),
        (lambda: carom.load("ball").run(solver="magic"), "magic"),
        (lambda: carom.load("ball").run(step=-1e-3), "-0.001"),
        (lambda: carom.loads("[bodies.a]\nmas = 1").check(), "did you mean `mass`"),
        (lambda: carom.loads("title = [").check(), "model.toml:1"),
        (lambda: carom.loads("title = [").body("a", mass=1), "model.toml:1"),
        (lambda: carom.load("slider-crank", l9=1).check(), "l9"),
    ],
)
def test_a_model_that_cannot_be_says_what_would_be_right(make, message: str) -> None:
    with pytest.raises(carom.ModelError) as caught:
        make()
    assert message in str(caught.value)
    assert caught.value.remedy and caught.value.file


def test_every_fault_of_a_built_model_is_told_at_its_line() -> None:
    model = bouncing_disk()
    model.body("b", mass=-1)
    model.joint("j", "revolut", between=["disk", "ground"])
    with pytest.raises(carom.ModelError) as caught:
        model.check()
    error = caught.value
    assert len(error.errors) >= 1 and error.file == "disk"
    line = model.text.splitlines()[error.line - 1]
    assert error.errors[0]["text"] in line


def test_a_file_that_is_not_text_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "model.toml"
    file.write_bytes(b"title = 'a'\n# \xff\n")
    with pytest.raises(carom.ModelError) as caught:
        carom.load(file)
    assert caught.value.line == 2 and caught.value.file == str(file) and "UTF-8" in caught.value.remedy


@pytest.mark.parametrize(
    "make",
    [
        lambda: carom.load(3),
        lambda: carom.load("title = 1\nbodies = 2"),
        lambda: carom.Model().body("a", mass=float("nan")),
        lambda: carom.Model().body("a", position=[0, float("inf")]),
        lambda: carom.Model().body("a", position={1, 2}),
        lambda: carom.Model().body("a", position=np.array([1j, 0])),
        lambda: carom.Model().body("a", mass=object()),
        lambda: carom.Model().body("a", points={1: [0, 0]}),
        lambda: carom.Model(gravity=[0, float("nan")]).check(),
        lambda: carom.Model().settings(step=float("nan")),
        lambda: carom.Model().body("a", title=b"bytes"),
        lambda: carom.load("ball").set(h0=float("nan")),
        lambda: carom.load("ball").run(end=float("inf")),
        lambda: bouncing_disk().body("disk", mass=1),
        lambda: bouncing_disk().ground(shapes={"floor": {}}),
        lambda: carom.load("stiff-3dof-spring").body("a", mass=1),
        lambda: carom.load("stiff-3dof-spring").text,
        lambda: carom.load("ball").function("f", 3),
    ],
)
def test_arguments_that_cannot_be_are_refused_at_once(make) -> None:
    with pytest.raises(carom.InputError) as caught:
        make()
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, carom.Error)
    assert len(str(caught.value)) > 20
