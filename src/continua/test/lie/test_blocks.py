"""Products of 6 x 6 maps with 6 x n matrices against NumPy, and the LU factors that Newton loops keep."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from continua.lie.blocks import add_basis_gram, add_basis_product, add_gram, add_product, clear
from continua.linalg import lu_factor, lu_solve


@pytest.fixture
def random():
    return np.random.default_rng(0)


@pytest.mark.parametrize('n', [1, 7, 22])
def test_products_add_to_what_is_there(random, n):
    A, X, Y = random.normal(size=(6, 6)), random.normal(size=(6, n)), random.normal(size=(6, n))
    A[2] = 0.0
    A[:3, 3:] = 0.0
    columns = np.array([n // 4, n - n // 4], dtype=np.uint64)
    inside = slice(*columns)
    out, expected = Y.copy(), Y.copy()
    add_product(A, X, 0.7, columns, out)
    expected[:, inside] += 0.7 * A @ X[:, inside]
    assert np.allclose(out, expected, atol=1e-14)
    clear(out, columns)
    expected[:, inside] = 0.0
    assert np.allclose(out, expected, atol=1e-14)
    gram, expected = np.ones((2, n, n))
    add_gram(X, Y, columns, gram)
    expected[inside, inside] += X[:, inside].T @ Y[:, inside]
    assert np.allclose(gram, expected, atol=1e-14)


@pytest.mark.parametrize('n', [1, 7, 22])
def test_products_with_bases_keep_to_the_columns_of_each_strain(random, n):
    A, Y, sparse = random.normal(size=(6, 6)), random.normal(size=(6, n)), np.zeros((6, n))
    span = np.sort(random.integers(0, n + 1, size=(6, 2), dtype=np.uint64), axis=1)
    for row, (begin, end) in enumerate(span):
        sparse[row, begin:end] = random.normal(size=end - begin)
    out = Y.copy()
    add_basis_product(A, sparse, 0.7, span, out)
    assert np.allclose(out, Y + 0.7 * A @ sparse, atol=1e-14)
    columns = np.array([n // 4, n - n // 4], dtype=np.uint64)
    gram, expected = np.ones((2, n, n))
    add_basis_gram(sparse, span, Y, columns, gram)
    expected[:, slice(*columns)] += sparse.T @ Y[:, slice(*columns)]
    assert np.allclose(gram, expected, atol=1e-14)


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
