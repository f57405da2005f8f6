"""Derivatives of rollouts against differences of the rollouts."""

import numpy as np
import pytest
from beams import LENGTH, TENDON, beam
from test_linear import agree, differences
from test_modal import _PARALLELOGRAM, _PENDULUM, robot

from continua.rod import Integrator, Rod
from continua.rod.linear import tip_position
from continua.rod.sensitivity import sensitivity

U = np.array([[3.0], [1.0], [5.0]])
DT = 5e-3


def arm():
    return Rod(
        beam(
            'bending_y: 0, bending_z: 1, elongation: 0',
            gravity=-9.81,
            damping=5e3,
            points=6,
            tendons=TENDON.format(end=LENGTH, y=0.004, friction=0.1),
        )
    )


def final_state(rod, q0, qd0, u):
    motion = Integrator(rod, tolerance=1e-12)
    motion.reset(q0, qd0)
    for row in u:
        assert motion.step(DT, row)
    return np.concatenate([motion.q, motion.qd])


def test_a_rollout_of_an_arm():
    rod = arm()
    n = rod.dof
    q0, qd0 = 0.2 * rod.scale * [1, -1, 1, 0.05], 3.0 * rod.scale * [1, 1, -1, 0.05]
    found = sensitivity(rod, q0, qd0, U, DT)
    size = np.concatenate([rod.scale, rod.scale * 2 * np.pi / rod.period])
    unit = 1.0 / size[:, None]
    expected = differences(lambda x: final_state(rod, x[:n], x[n:], U), np.concatenate([q0, qd0]), size)
    assert np.allclose(found.states[-1], final_state(rod, q0, qd0, U), rtol=1e-8)
    assert np.array_equal(found.initial[0], np.eye(2 * n))
    assert agree(unit * found.initial[-1] * size, unit * expected * size)
    expected = differences(lambda u: final_state(rod, q0, qd0, u[:, None]), U[:, 0], np.ones(3))
    assert agree(unit * found.inputs[-1, :, :, 0], unit * expected)
    # no state knows the inputs of later steps
    assert not found.inputs[1, :, 1:].any() and found.inputs[1, :, 0].any()


def test_outputs_along_the_rollout():
    rod = arm()
    q0 = 0.2 * rod.scale * [1, -1, 1, 0.05]
    tip = tip_position(rod)
    y, initial, inputs = sensitivity(rod, q0, None, U, DT).of_output(tip)
    assert y.shape == (4, 3) and initial.shape == (4, 3, 2 * rod.dof) and inputs.shape == (4, 3, 3, 1)
    expected = differences(
        lambda u: tip(final_state(rod, q0, None, u[:, None])[: rod.dof])[0], U[:, 0], np.ones(3)
    )
    assert agree(inputs[-1, :, :, 0], expected)
    assert np.allclose(y[0], tip(q0)[0])


def test_a_rollout_of_a_loop():
    """Along the motions that the loop allows; the parallelogram's angles are a, -a, a."""
    rod = Rod(robot(_PENDULUM + _PARALLELOGRAM, damping=2e-3))
    inside = np.array([1.0, -1.0, 1.0])
    q0, qd0 = 0.5 * inside, 2.0 * inside
    found = sensitivity(rod, q0, qd0, np.zeros((3, 0)), DT)

    def turned(x):
        return final_state(rod, x[0] * inside, x[1] * inside, np.zeros((3, 0)))

    expected = differences(turned, np.array([0.5, 2.0]), np.ones(2))
    along = np.stack([found.initial[-1, :, :3] @ inside, found.initial[-1, :, 3:] @ inside], axis=-1)
    assert agree(along, expected)


def test_what_does_not_fit_is_refused():
    rod = arm()
    zero = np.zeros(rod.dof)
    with pytest.raises(ValueError, match=r'u: expected a row of 1 inputs for each step, got .* shape \(3,\)'):
        sensitivity(rod, zero, None, U[:, 0], DT)
    with pytest.raises(RuntimeError, match='step 1 of 0.005 s could not be solved whole'):
        sensitivity(rod, zero, None, np.array([[np.nan]]), DT)
