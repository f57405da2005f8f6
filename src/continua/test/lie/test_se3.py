"""SE(3) kernels against matrix exponentials and power series."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from continua.lie import se3, so3
from continua.lie.blocks import Ad_inv_matrix, ad_matrix, momentum_matrix

ANGLES = (1e-9, 1e-4, 0.3, 0.999, 1.001, 2.5, 3.1)


def hat(x):
    out = np.zeros((4, 4))
    out[:3, :3] = [[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]]
    out[:3, 3] = x[3:]
    return out


def adjoint(x):
    out = np.zeros((6, 6))
    ad_matrix(x, 1.0, out)
    return out


def tangent_series(*curve):
    """sum (-ad)^k / (k + 1)! of the curve X + X1 t + X2 t^2 ..., to the same order in t; no differences."""
    ad = [adjoint(x) for x in curve]
    order = len(ad)
    term = [np.eye(6)] + [np.zeros((6, 6))] * (order - 1)
    total = [np.zeros((6, 6))] * order
    for k in range(40):
        total = [a + b for a, b in zip(total, term, strict=True)]
        term = [sum(term[i] @ -ad[m - i] for i in range(m + 1)) / (k + 2) for m in range(order)]
    return total


def twist(angle, seed=0):
    random = np.random.default_rng(seed)
    x = random.normal(size=6)
    x[:3] *= angle / np.linalg.norm(x[:3])
    return x


def tangent(x, rate):
    T, Td = np.zeros((6, 6)), np.zeros((6, 6))
    se3.tangent(x, rate, T, Td)
    return T, Td


@pytest.mark.parametrize('angle', ANGLES)
def test_the_exponential_is_the_matrix_exponential(angle):
    x = twist(angle)
    R, p = np.zeros((3, 3)), np.zeros(3)
    se3.exp_se3(x, R, p)
    pose = expm(hat(x))
    assert np.allclose(R, pose[:3, :3], atol=1e-13)
    assert np.allclose(p, pose[:3, 3], atol=1e-13)


@pytest.mark.parametrize('angle', ANGLES)
def test_the_tangent_map_and_its_rates(angle):
    x, rate, second = twist(angle), twist(1.0, 1), twist(1.0, 2)
    T, Td = tangent(x, rate)
    Tdd = np.zeros((6, 6))
    se3.tangent_second_rate(x, rate, second, Tdd)
    series = tangent_series(x, rate, 0.5 * second)
    assert np.allclose(T, series[0], atol=1e-13)
    assert np.allclose(Td, series[1], atol=1e-13)
    # third derivatives of the closed forms lose three digits just beyond one radian
    assert np.allclose(Tdd, 2.0 * series[2], atol=1e-12)


def test_the_tangent_map_turns_rates_of_coordinates_into_body_twists():
    x, rate = twist(1.3), twist(1.0, 1)
    h = 1e-3
    pose = expm(hat(x))
    change = (8 * (expm(hat(x + h * rate)) - expm(hat(x - h * rate)))) / (12 * h) - (
        expm(hat(x + 2 * h * rate)) - expm(hat(x - 2 * h * rate))
    ) / (12 * h)
    assert np.allclose(np.linalg.solve(pose, change), hat(tangent(x, rate)[0] @ rate), atol=1e-10)


@pytest.mark.parametrize('angle', ANGLES)
def test_the_derivative_of_the_transposed_tangent_map_on_a_wrench(angle):
    x, wrench, G = twist(angle), twist(1.0, 3), np.zeros((6, 6))
    se3.transposed_tangent_derivative(x, wrench, G)
    expected = np.stack([tangent_series(x, e)[1].T @ wrench for e in np.eye(6)], axis=1)
    assert np.allclose(G, expected, atol=1e-12)


@pytest.mark.parametrize('below', [True, False])
def test_nothing_jumps_where_the_series_hands_over_to_the_closed_forms(below):
    """Beside |w| = 1 both branches agree with exact arithmetic, value and three derivatives."""
    x = np.nextafter(1.0, 0.0 if below else 2.0)
    for values, shift in zip(so3.coefficients(x), (2, 3), strict=True):
        for order, value in enumerate(values):
            exact = Fraction(0)
            for k in range(order, 40):
                exact += Fraction((-1) ** k * math.perm(k, order), math.factorial(2 * k + shift)) * Fraction(
                    x
                ) ** (k - order)
            assert value == pytest.approx(float(exact), abs=1e-14)


@settings(deadline=None)
@given(st.lists(st.floats(-3, 3), min_size=18, max_size=18))
def test_brackets_and_pairings(numbers):
    x, y, z = np.array(numbers).reshape(3, 6)
    bracket, dual = np.zeros(6), np.zeros(6)
    se3.ad(x, y, 1.0, bracket)
    assert np.allclose(bracket, adjoint(x) @ y)
    se3.ad_T(x, z, 1.0, dual)
    # <ad_x^T z, y> = <z, ad_x y>, and L(z) x is the same
    assert np.isclose(dual @ y, z @ bracket, atol=1e-9)
    L = np.zeros((6, 6))
    momentum_matrix(z, 1.0, L)
    assert np.allclose(L @ x, dual)
    jacobi = adjoint(x) @ adjoint(y) @ z + adjoint(y) @ adjoint(z) @ x + adjoint(z) @ adjoint(x) @ y
    assert np.allclose(jacobi, 0, atol=1e-9)


def test_the_inverse_adjoint_moves_twists_and_its_transpose_moves_wrenches():
    x, y, w = twist(0.7), twist(1.0, 1), twist(2.0, 2)
    R, p = np.zeros((3, 3)), np.zeros(3)
    se3.exp_se3(x, R, p)
    inner, outer, matrix = np.zeros(6), np.zeros(6), np.zeros((6, 6))
    se3.Ad_inv(R, p, y, inner)
    Ad_inv_matrix(R, p, matrix)
    assert np.allclose(inner, matrix @ y)
    assert np.allclose(matrix, expm(-adjoint(x)))
    se3.Ad_inv_T(R, p, w, outer)
    assert np.allclose(outer, matrix.T @ w)


@settings(deadline=None)
@given(st.lists(st.floats(-1, 1), min_size=4, max_size=4).filter(lambda q: np.linalg.norm(q) > 1e-2))
def test_quaternions_survive_the_way_through_matrices(numbers):
    q = np.array(numbers) / np.linalg.norm(numbers)
    R = so3.matrix_from_quaternion(q)
    assert np.allclose(R @ R.T, np.eye(3), atol=1e-12)
    back = so3.quaternion_from_matrix(R)
    assert min(np.abs(back - q).max(), np.abs(back + q).max()) < 1e-12


@settings(deadline=None)
@given(
    st.lists(st.floats(-1, 1), min_size=3, max_size=3).filter(lambda a: np.linalg.norm(a) > 1e-2),
    st.floats(-1e-6, 1e-6),
)
def test_quaternions_survive_near_half_turns(axis, less):
    axis = np.array(axis) / np.linalg.norm(axis)
    angle = np.pi - less
    q = np.array([*(np.sin(0.5 * angle) * axis), np.cos(0.5 * angle)])
    back = so3.quaternion_from_matrix(so3.matrix_from_quaternion(q))
    assert back[3] >= 0.0
    assert min(np.abs(back - q).max(), np.abs(back + q).max()) < 1e-14


def test_quaternions_are_those_of_scipy():
    q = np.random.default_rng(0).normal(size=(20, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    assert np.allclose(so3.matrix_from_quaternion(q), Rotation.from_quat(q).as_matrix(), atol=1e-14)


def test_half_turns_have_quaternions():
    for axis in np.eye(3):
        R = 2 * np.outer(axis, axis) - np.eye(3)
        assert np.allclose(so3.quaternion_from_matrix(R), [*axis, 0])
