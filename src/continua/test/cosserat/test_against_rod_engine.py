"""The collocation rod against the rod engine on the same robot: two codes that share no equations."""

import numpy as np
import pytest

from continua.cosserat import CollocationRod
from continua.rod import Integrator, Rod
from continua.rod.modal import vibration_modes

PRESSURES = np.array([[75e3, 0.0, 0.0], [0.0, 60e3, 30e3]])


@pytest.fixture(scope='module')
def engine(changed):
    def finer(data):
        arm = data['links'][2]
        arm['strain_basis']['order'] = dict.fromkeys(arm['strain_basis']['order'], 5)

    return Rod(changed(finer))


def test_equilibria_converge_to_the_engines_with_the_square_of_the_nodes(arm, engine):
    tips = [engine.shape(engine.statics(u).q, np.array([engine.length])).position[0] for u in PRESSURES]
    errors = []
    for nodes in (6, 11, 21):
        rod = CollocationRod(arm, nodes, subintervals=8)
        errors.append(np.linalg.norm(rod.output(rod.statics(PRESSURES)) - tips, axis=1).max())
    assert errors[0] < 0.0075 * engine.length
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.1)


def test_first_frequencies(arm, engine):
    rest = np.zeros(3)
    modes = vibration_modes(engine, engine.statics(rest).q)[:4]
    rod = CollocationRod(arm)
    poles = np.linalg.eigvals(rod.jacobian(rod.statics(rest), rest)[0])
    poles = poles[poles.imag > 1e-6]
    poles = poles[np.argsort(np.abs(poles))][:4]
    assert [mode.name for mode in modes] == ['bending_y', 'bending_z', 'torsion', 'elongation']
    assert np.abs(poles) / (2.0 * np.pi) == pytest.approx([mode.frequency for mode in modes], rel=0.02)
    assert -poles.real / np.abs(poles) == pytest.approx([mode.damping_ratio for mode in modes], rel=0.02)


def test_a_pressure_step(arm, engine):
    """A quarter of a second under a step: half a period of the first mode."""
    u, dt = np.array([20e3, 0.0, 0.0]), 0.005
    rod, motion = CollocationRod(arm, nodes=11), Integrator(engine, error_tolerance=1e-4)
    motion.reset(engine.statics(np.zeros(3)).q)
    tip, x, errors, way = engine.sampler(np.array([engine.length])), rod.statics(np.zeros(3)), [], []
    start = rod.output(x)
    for _ in range(50):
        assert motion.step(dt, u)
        x = rod.step(x, u, dt)
        position = tip.poses(motion.q)[1][0]
        errors.append(np.linalg.norm(rod.output(x) - position))
        way.append(np.linalg.norm(position - start))
    assert max(way) > 0.05
    assert max(errors) < 0.02 * max(way)
