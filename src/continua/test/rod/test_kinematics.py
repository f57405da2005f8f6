"""Poses: exact for constant strain, fourth order in the segment length otherwise."""

import numpy as np
import pytest
from beams import LENGTH, beam
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from continua.lie.so3 import matrix_from_quaternion
from continua.rod import Rod


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


def test_a_probe_on_a_station_agrees_with_the_model_and_others_lie_between(twisted):
    q, _ = twisted
    rod = Rod(beam('torsion: 1, bending_y: 1, bending_z: 1', points=8))
    stations = rod.arc_length
    on = rod.shape(q, stations).position
    dense = rod.shape(q, np.linspace(0, LENGTH, 401))
    # the centreline has unit speed: neighbours on a dense curve are as far apart as their arc lengths
    gaps = np.linalg.norm(np.diff(dense.position, axis=0), axis=1)
    assert np.allclose(gaps, LENGTH / 400, rtol=1e-3)
    for s, position in zip(stations, on, strict=True):
        near = dense.position[np.argmin(np.abs(dense.arc_length - s))]
        assert np.linalg.norm(position - near) <= LENGTH / 400


def test_wrong_arguments_are_refused_with_a_sentence():
    rod = Rod(beam('bending_y: 0'))
    with pytest.raises(ValueError, match='q: expected 1 generalised coordinates'):
        rod.shape(np.zeros(2), np.array([0.1]))
    with pytest.raises(ValueError, match='arc_length: expected a vector of values in'):
        rod.shape(np.zeros(1), np.array([2 * LENGTH]))
    with pytest.raises(ValueError, match='order: expected six degrees'):
        Rod(beam('bending_y: 0'), order=(1, 2))
