"""The problems of `space.py` in MuJoCo: trees in joint coordinates; the loop of the slider-crank is closed by a soft constraint.

Usage: mujoco_space.py ROW STEPS [SPLIT [INTEGRATOR [RUNS]]]
  INTEGRATOR  RK4, implicitfast, Euler (RK4)
"""

import mujoco
import numpy as np
import space


def model(step, integrator, bodies, more="", flags='contact="disable" constraint="disable"'):
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian"/><option timestep="{step}" gravity="0 0 -{space.GRAVITY}" '
        f'integrator="{integrator}" solver="Newton"><flag {flags}/></option>'
        f"<worldbody>{bodies}</worldbody>{more}</mujoco>"
    )


def words(values):
    return " ".join(repr(float(x)) for x in values)


def inertial(mass, inertia, at=(0, 0, 0)):
    return f'<inertial pos="{words(at)}" mass="{mass}" diaginertia="{words(inertia)}"/>'


def axes(data, number):
    return data.xmat[number].reshape(3, 3)


def chain(step, integrator, n):
    rod = inertial(space.MASS, (space.ALONG, space.ACROSS, space.ACROSS), (0.5 * space.LENGTH, 0, 0))
    bodies = ""
    for i in reversed(range(n)):
        bodies = f'<body pos="{space.LENGTH if i else 0} 0 0"><joint type="ball"/>{rod}{bodies}</body>'
    spins = [w for _, _, w in space.chain(n)]
    v = np.zeros((n, 3))
    v[:, 2] = np.diff([0.0, *spins])

    def result(data):
        ends = (data.xpos[i + 1] + space.LENGTH * axes(data, i + 1)[:, 0] for i in space.watched(n))
        return [x for end in ends for x in end]

    return model(step, integrator, bodies), v.ravel(), result


def slider_crank(step, integrator):
    c, r, s = space.CRANK, space.ROD, space.SLIDER
    turned = np.zeros(4)
    mujoco.mju_mat2Quat(turned, np.ascontiguousarray(space.ROD_AXES).ravel())
    # the arm of the cross on the slider, in axes of the rod
    arm = space.ROD_AXES.T @ [1, 0, 0]
    bodies = (
        f'<body name="crank" pos="{words(space.BEARING)}"><joint type="hinge" axis="1 0 0"/>'
        f'{inertial(c["mass"], c["inertia"], (0, 0, 0.5 * c["length"]))}</body>'
        f'<body pos="{words(space.CROSS)}"><joint type="slide" axis="1 0 0"/>{inertial(s["mass"], s["inertia"])}'
        f'<body name="rod" quat="{words(turned)}"><joint type="hinge" axis="{words(arm)}"/>'
        f'<joint type="hinge" axis="0 1 0"/>{inertial(r["mass"], r["inertia"], (-0.5 * r["length"], 0, 0))}</body></body>'
    )
    tie = (
        f'<equality><connect body1="rod" body2="crank" anchor="{-r["length"]} 0 0" '
        f'solref="{2 * step} 1" solimp="0.9999 0.9999 0.001"/></equality>'
    )
    both = np.array([[1.0, 0, 0], space.ROD_AXES[:, 1]]).T
    rates = np.linalg.lstsq(both, space.rod_spin(), rcond=None)[0]
    v = np.array([c["speed"], space.SLIDER_SPEED, *rates])
    made = model(step, integrator, bodies, tie, 'contact="disable"')
    return made, v, lambda data: [data.qpos[0], data.qvel[0], data.xpos[2][0]]


def top(step, integrator):
    t = space.TOP
    bodies = f'<body><joint type="ball"/>{inertial(t["mass"], t["inertia"], t["centre"])}</body>'
    return model(step, integrator, bodies), np.array(t["omega"]), lambda data: list(axes(data, 1) @ t["centre"])


def main():
    row, steps, split, integrator, runs = space.arguments(1, "RK4", space.RUNS)
    step = space.STEP / split
    if row.startswith("chain"):
        made, v, result = chain(step, integrator, space.links(row))
    else:
        made, v, result = (slider_crank if row.startswith("slider") else top)(step, integrator)

    def make():
        data = mujoco.MjData(made)
        data.qvel[:] = v
        mujoco.mj_forward(made, data)

        def collect():
            mujoco.mj_kinematics(made, data)
            return result(data)

        return lambda: mujoco.mj_step(made, data, steps * split), collect

    space.tell(*space.least(make, steps * split, runs))


main()
