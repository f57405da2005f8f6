"""The rod engine against PyElastica 1.0.0: Cosserat rods of finite differences in place of strain functions.

PyElastica holds the frame of its first element, so half an element cannot bend and its error is proportional
to the element's length. Hence each test halves the elements: the difference to the rod engine must halve, and
what the two finest say together (Richardson) must be much closer than either.
"""

import numpy as np
import pytest

from continua.bench.peers import HOW_TO_INSTALL
from continua.rod import Integrator, Rod

pytest.importorskip('elastica', reason=f'pyelastica is not installed: {HOW_TO_INSTALL}')

# (elements, largest stable step in s)
LEVELS = ((10, 2e-4), (20, 2e-4), (40, 1e-4))
TIMES = np.array([0.05, 0.1, 0.15, 0.2])
CASES = {'tip force': (0.0, [0.0, 0.02, 0.05]), 'tendon': (1.0, [0.0, 0.0, 0.0])}


@pytest.fixture(scope='module')
def undamped(load):
    """The single-tendon arm without material damping, for PyElastica has no Kelvin-Voigt material."""
    robot = load('single_tendon_arm')
    link = robot.links[0]
    material = link.material.model_copy(update={'damping': 0.0})
    return robot.model_copy(update={'links': (link.model_copy(update={'material': material}),)})


@pytest.fixture(scope='module')
def rod(undamped):
    return Rod(undamped, points=16)


@pytest.fixture(params=CASES)
def case(request, rod):
    """Tension (1,) N, tip force (3,) N in world axes, and the force as the load on the rod's stations."""
    tension, force = CASES[request.param]
    load = np.zeros((rod.arc_length.size, 6))
    load[-1, 3:] = force
    return np.array([tension]), np.array(force), load


def peers(robot, tension, force, drag):
    """Yield an arm of each level under these loads."""
    from continua.bench.elastica_arm import ElasticaArm

    for elements, step in LEVELS:
        arm = ElasticaArm(robot, elements, step, drag)
        arm.tension[:] = tension
        arm.tip_force[:] = force
        yield arm


def halving_errors(paths, expected, beyond):
    """Assert that the error of paths (levels, ...) halves from level to level.

    beyond: what the extrapolation of the two finest levels may leave of the error of the finest.
    """
    error = [np.abs(path - expected).max() for path in paths]
    assert 1.6 < error[0] / error[1] < 2.4, error
    assert 1.6 < error[1] / error[2] < 2.4, error
    left = np.abs(2.0 * paths[2] - paths[1] - expected).max()
    assert left < beyond * error[2], (left, error)


def test_statics(undamped, rod, case):
    """PyElastica comes to rest by a drag of 15/s."""
    tension, force, load = case
    result = rod.statics(tension, load=load)
    assert result.converged
    tips = []
    for arm in peers(undamped, tension, force, drag=15.0):
        arm.advance(round(1.5 / arm.step))
        assert np.abs(arm.rod.velocity_collection).max() < 1e-3
        tips.append(arm.tip)
    expected = rod.shape(result.q, np.array([rod.length])).position[0]
    halving_errors(np.array(tips), expected, beyond=0.1)


def test_motion(undamped, rod, case):
    """From the straight shape, undamped, for 0.2 s: the tip falls and swings back."""
    tension, force, load = case
    motion, step = Integrator(rod, tolerance=1e-7), 5e-4
    path, tip = [], rod.sampler(np.array([rod.length]))
    for duration in np.diff(TIMES, prepend=0.0):
        for _ in range(round(duration / step)):
            assert motion.step(step, tension, load=load)
        path.append(tip.poses(motion.q)[1][0])
    paths = []
    for arm in peers(undamped, tension, force, drag=0.0):
        points = []
        for duration in np.diff(TIMES, prepend=0.0):
            arm.advance(round(duration / arm.step))
            points.append(arm.tip)
        paths.append(points)
    # an error of the frequencies is one of the phase, which does not grow in proportion to it
    halving_errors(np.array(paths), np.array(path), beyond=1.0)
