"""SE(3) kernels against matrix exponentials, power series and differences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import expm

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


def tangent_series(x):
    """sum (-ad)^k / (k + 1)!"""
    total, term = np.zeros((6, 6)), np.eye(6)
    for k in range(40):
        total += term
        term = term @ -adjoint(x) / (k + 2)
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
    assert np.allclose(T, tangent_series(x), atol=1e-13)

    def along(t):
        return tangent_series(x + t * rate + 0.5 * t * t * second)

    h = 1e-3
    first = (8 * (along(h) - along(-h)) - (along(2 * h) - along(-2 * h))) / (12 * h)
    assert np.allclose(Td, first, atol=1e-10)
    h = 1e-2
    bent = (16 * (along(h) + along(-h)) - (along(2 * h) + along(-2 * h)) - 30 * along(0)) / (12 * h * h)
    Tdd = np.zeros((6, 6))
    se3.tangent_second_rate(x, rate, second, Tdd)
    assert np.allclose(Tdd, bent, atol=1e-7)


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


@given(st.lists(st.floats(-1, 1), min_size=4, max_size=4).filter(lambda q: np.linalg.norm(q) > 1e-2))
def test_quaternions_survive_the_way_through_matrices(numbers):
    q = np.array(numbers) / np.linalg.norm(numbers)
    R = so3.matrix_from_quaternion(q)
    assert np.allclose(R @ R.T, np.eye(3), atol=1e-12)
    back = so3.quaternion_from_matrix(R)
    assert min(np.abs(back - q).max(), np.abs(back + q).max()) < 1e-12


def test_half_turns_have_quaternions():
    for axis in np.eye(3):
        R = 2 * np.outer(axis, axis) - np.eye(3)
        assert np.allclose(so3.quaternion_from_matrix(R), [*axis, 0])
