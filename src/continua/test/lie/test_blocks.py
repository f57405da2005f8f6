"""Products of 6 x 6 maps with 6 x n matrices against NumPy, and the LU factors that Newton loops keep."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from continua.lie.blocks import add_basis_gram, add_gram, add_product
from continua.linalg import lu_factor, lu_solve


@pytest.fixture
def random():
    return np.random.default_rng(0)


@pytest.mark.parametrize('n', [1, 7, 22])
def test_products_add_to_what_is_there(random, n):
    A, X, Y = random.normal(size=(6, 6)), random.normal(size=(6, n)), random.normal(size=(6, n))
    A[2] = 0.0
    A[:3, 3:] = 0.0
    out = Y.copy()
    add_product(A, X, 0.7, out)
    assert np.allclose(out, Y + 0.7 * A @ X, atol=1e-14)
    gram = np.ones((n, n))
    add_gram(X, Y, gram)
    assert np.allclose(gram, 1.0 + X.T @ Y, atol=1e-14)
    sparse = np.where(random.random((6, n)) < 0.3, X, 0.0)
    gram = np.ones((n, n))
    add_basis_gram(sparse, Y, gram)
    assert np.allclose(gram, 1.0 + sparse.T @ Y, atol=1e-14)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 12))
def test_factors_solve_what_numpy_solves(seed, n):
    random = np.random.default_rng(seed)
    A, x = random.normal(size=(n, n)), random.normal(size=n)
    b, factors, pivot = A @ x, A.copy(), np.zeros(n, dtype=np.int64)
    assert lu_factor(factors, pivot)
    lu_solve(factors, pivot, b)
    # partial pivoting is backward stable: the error is of rounding times the condition number
    assert np.abs(b - x).max() <= 1e-13 * n * np.linalg.cond(A) * np.abs(x).max()


def test_rows_are_exchanged_where_the_diagonal_vanishes():
    A, b, pivot = np.array([[0.0, 2.0], [3.0, 0.0]]), np.array([2.0, 6.0]), np.zeros(2, dtype=np.int64)
    assert lu_factor(A, pivot)
    lu_solve(A, pivot, b)
    assert np.array_equal(b, [2.0, 1.0])


@pytest.mark.parametrize('wrong', [0.0, np.nan, np.inf])
def test_a_matrix_without_factors_is_reported(wrong):
    A = np.diag([1.0, wrong, 2.0])
    assert not lu_factor(A, np.zeros(3, dtype=np.int64))
