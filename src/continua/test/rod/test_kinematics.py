"""Poses: exact for constant strain, fourth order in the segment length otherwise."""

import numpy as np
import pytest
from beams import LENGTH, TENDON, beam
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from continua.lie.so3 import matrix_from_quaternion
from continua.rod import Rod
from continua.rod.inverse_dynamics import forward


def hat(xi):
    """4 x 4 matrix of a strain twist."""
    k, v = xi[:3], xi[3:]
    out = np.zeros((4, 4))
    out[:3, :3] = [[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]]
    out[:3, 3] = v
    return out


def test_constant_strain_is_a_screw_motion():
    rod = Rod(beam('torsion: 0, bending_y: 0, bending_z: 0, elongation: 0, shear_y: 0, shear_z: 0', points=3))
    q = np.array([4.0, -3.0, 6.0, 0.1, 0.05, -0.02])
    shape = rod.shape(q, np.array([0.0, 0.1, LENGTH]))
    strain = q + [0, 0, 0, 1, 0, 0]
    for s, position, xyzw in zip(shape.arc_length, shape.position, shape.orientation_xyzw, strict=True):
        pose = expm(hat(strain) * s)
        assert np.allclose(position, pose[:3, 3], atol=1e-12)
        assert np.allclose(matrix_from_quaternion(xyzw), pose[:3, :3], atol=1e-12)
    assert np.allclose(shape.strain, strain)


@pytest.fixture(scope='module')
def twisted():
    """Coordinates of a varying strain that does not commute with itself, and its tip by SciPy."""
    q = np.array([3.0, 2.0, 4.0, 5.0, -2.0, 3.0])

    def rate(s, g):
        x = 2 * s / LENGTH - 1
        strain = np.array([q[0] + q[1] * x, q[2] + q[3] * x, q[4] + q[5] * x, 1, 0, 0])
        return (g.reshape(4, 4) @ hat(strain)).ravel()

    end = solve_ivp(rate, (0, LENGTH), np.eye(4).ravel(), method='DOP853', rtol=1e-13, atol=1e-14).y[:, -1]
    return q, end.reshape(4, 4)


def test_convergence_in_quadrature_points_is_of_fourth_order_at_least(twisted):
    q, reference = twisted
    errors, widths = [], []
    for points in (3, 6, 12):
        rod = Rod(beam('torsion: 1, bending_y: 1, bending_z: 1', points=points))
        tip = rod.shape(q, np.array([LENGTH]))
        errors.append(np.linalg.norm(tip.position[0] - reference[:3, 3]))
        widths.append(np.diff(rod.arc_length).max())
    order = np.diff(np.log(errors)) / np.diff(np.log(widths))
    assert np.all(order > 3.8)
    # what `discretise_rod` promises for a strongly bent rod
    assert errors[-1] < 1e-4 * LENGTH


def test_probes_stand_where_the_stations_stand_and_change_nothing(twisted):
    q, _ = twisted
    rod = Rod(beam('torsion: 1, bending_y: 1, bending_z: 1', points=8))
    stations = rod.arc_length
    rod.residual(q)
    on = rod.shape(q, stations)
    assert np.allclose(on.position, rod._model.work.p, atol=1e-14)
    assert np.allclose(matrix_from_quaternion(on.orientation_xyzw), rod._model.work.R, atol=1e-14)
    # with neighbours, in another order, or twice
    others = rod.shape(q, np.array([LENGTH, 0.11, 0.0, LENGTH, 0.23]))
    assert np.array_equal(others.position[0], on.position[-1])
    assert np.array_equal(others.position[3], on.position[-1])
    assert np.array_equal(others.position[2], on.position[0])


def test_between_stations_the_curve_is_as_exact_as_on_them(twisted):
    q, reference = twisted
    rod = Rod(beam('torsion: 1, bending_y: 1, bending_z: 1', points=12))
    dense = rod.shape(q, np.linspace(0, LENGTH, 801))
    # the centreline has unit speed, and its end is the exact one
    gaps = np.linalg.norm(np.diff(dense.position, axis=0), axis=1)
    assert np.allclose(gaps, LENGTH / 800, rtol=1e-4)
    assert np.linalg.norm(dense.position[-1] - reference[:3, 3]) < 1e-4 * LENGTH


def test_the_base_pose_moves_everything(twisted):
    q, _ = twisted
    still = beam('torsion: 1, bending_y: 1, bending_z: 1')
    # a third of a turn about the diagonal sends x to y, y to z, z to x
    base = type(still.base)(position=(1.0, 2.0, 3.0), orientation_xyzw=(0.5, 0.5, 0.5, 0.5))
    moved = still.model_copy(update={'base': base})
    X = np.array([0.1, LENGTH])
    here, there = Rod(still).shape(q, X), Rod(moved).shape(q, X)
    assert np.allclose(there.position, [1.0, 2.0, 3.0] + here.position[:, [2, 0, 1]], atol=1e-14)
    turned = matrix_from_quaternion(np.full(4, 0.5)) @ matrix_from_quaternion(here.orientation_xyzw)
    assert np.allclose(matrix_from_quaternion(there.orientation_xyzw), turned, atol=1e-14)


def test_divisions_share_the_points_of_the_link():
    whole = Rod(beam('bending_z: 4', points=10))
    cut = Rod(beam('bending_z: 4', points=10, tendons=TENDON.format(end=0.25 * LENGTH, y=0.004, friction=0)))
    assert whole.arc_length.size == 1 + 10 + 1
    # a quarter and three quarters, rounded up, one more each, and three ends
    assert cut.arc_length.size == (3 + 1) + (8 + 1) + 3
    assert 0.25 * LENGTH in cut.arc_length
    assert np.array_equal(cut.stiffness, whole.stiffness)


def test_coordinates_of_any_layout_are_taken_without_compiling_again(twisted):
    q, _ = twisted
    rod = Rod(beam('torsion: 1, bending_y: 1, bending_z: 1', points=8))
    X = np.array([LENGTH])
    expected, compiled = rod.shape(q, X).position, len(forward.signatures)
    frozen = q.copy()
    frozen.flags.writeable = False
    for same in (frozen, np.repeat(q, 2)[::2], list(q), np.asfortranarray(q[None])[0]):
        assert np.array_equal(rod.shape(same, X).position, expected)
        assert np.array_equal(rod.sampler(X).poses(same)[1], expected)
    assert len(forward.signatures) == compiled


def test_wrong_arguments_are_refused_with_a_sentence():
    rod = Rod(beam('bending_y: 0'))
    with pytest.raises(ValueError, match='q: expected 1 generalised coordinates'):
        rod.shape(np.zeros(2), np.array([0.1]))
    with pytest.raises(ValueError, match='q: expected 1 generalised coordinates'):
        rod.sampler(np.array([0.1])).jacobian(np.zeros(2))
    with pytest.raises(ValueError, match='quadrature_points: expected more than the highest degree'):
        Rod(beam('bending_y: 4', points=4))
    with pytest.raises(ValueError, match='arc_length: expected a vector of values in'):
        rod.shape(np.zeros(1), np.array([2 * LENGTH]))
    with pytest.raises(ValueError, match=r'arc_length: expected a vector of values in \[0, .*\] m of beam'):
        rod.sampler(np.array([0.0, 2 * LENGTH]), ['beam', 'beam'])
    with pytest.raises(ValueError, match='arc_length: expected a vector of values in m, one for each link'):
        rod.sampler(np.array([0.0, 0.1]), ['beam'])
    with pytest.raises(ValueError, match='bases: expected finite columns of shape'):
        Rod(beam('bending_y: 0'), bases={'beam': lambda X: np.ones((X.size, 2))})
    with pytest.raises(ValueError, match='bases: arm: not a soft link'):
        Rod(beam('bending_y: 0'), bases={'arm': lambda X: np.ones((X.size, 6, 1))})
