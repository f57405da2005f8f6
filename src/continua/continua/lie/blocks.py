"""The maps of se(3) as 6 x 6 matrices, and their products with 6 x n matrices, without allocation."""

import numpy as np

from continua.jit import njit

__all__ = [
    'Ad_inv_matrix',
    'Range',
    'ad_matrix',
    'add_basis_gram',
    'add_basis_product',
    'add_gram',
    'add_product',
    'clear',
    'momentum_matrix',
]

Range = np.ndarray | tuple[int, int]


@njit
def add_product(A: np.ndarray, X: np.ndarray, scale: float, columns: Range, out: np.ndarray) -> None:
    """out (6, n) += scale * A (6, 6) @ X (6, n) in a range of columns, [from, to)."""
    for i in range(6):
        a, b, c = scale * A[i, 0], scale * A[i, 1], scale * A[i, 2]
        d, e, f = scale * A[i, 3], scale * A[i, 4], scale * A[i, 5]
        if a == b == c == d == e == f == 0.0:
            continue
        for k in range(columns[0], columns[1]):
            out[i, k] += a * X[0, k] + b * X[1, k] + c * X[2, k] + d * X[3, k] + e * X[4, k] + f * X[5, k]


@njit
def clear(X: np.ndarray, columns: Range) -> None:
    """X (6, n) = 0 in a range of columns, [from, to)."""
    for i in range(6):
        for k in range(columns[0], columns[1]):
            X[i, k] = 0.0


@njit
def add_basis_product(
    A: np.ndarray, phi: np.ndarray, scale: float, span: np.ndarray, out: np.ndarray
) -> None:
    """out (6, n) += scale * A (6, 6) @ phi (6, n) for a basis whose row r is zero outside of span[r]."""
    for r in range(6):
        begin, end = span[r, 0], span[r, 1]
        if begin == end:
            continue
        for i in range(6):
            a = scale * A[i, r]
            if a != 0.0:
                for k in range(begin, end):
                    out[i, k] += a * phi[r, k]


@njit
def add_gram(X: np.ndarray, Y: np.ndarray, columns: Range, out: np.ndarray) -> None:
    """out (n, n) += X^T (n, 6) @ Y (6, n) in a range of rows and columns, [from, to)."""
    for i in range(columns[0], columns[1]):
        a, b, c, d, e, f = X[0, i], X[1, i], X[2, i], X[3, i], X[4, i], X[5, i]
        for k in range(columns[0], columns[1]):
            out[i, k] += a * Y[0, k] + b * Y[1, k] + c * Y[2, k] + d * Y[3, k] + e * Y[4, k] + f * Y[5, k]


@njit
def add_basis_gram(phi: np.ndarray, span: np.ndarray, Y: np.ndarray, columns: Range, out: np.ndarray) -> None:
    """out (n, n) += phi^T (n, 6) @ Y (6, n) in a range of columns, for a basis as in `add_basis_product`."""
    for r in range(6):
        for i in range(span[r, 0], span[r, 1]):
            a = phi[r, i]
            for k in range(columns[0], columns[1]):
                out[i, k] += a * Y[r, k]


@njit
def ad_matrix(x: np.ndarray, scale: float, out: np.ndarray) -> None:
    """out (6, 6) = scale * ad_x."""
    out[:] = 0.0
    for row, i in ((0, 0), (3, 3)):
        out[row, 1] = -scale * x[i + 2]
        out[row + 1, 0] = scale * x[i + 2]
        out[row, 2] = scale * x[i + 1]
        out[row + 2, 0] = -scale * x[i + 1]
        out[row + 1, 2] = -scale * x[i]
        out[row + 2, 1] = scale * x[i]
    for r in range(3):
        for c in range(3):
            out[r + 3, c + 3] = out[r, c]


@njit
def momentum_matrix(y: np.ndarray, scale: float, out: np.ndarray) -> None:
    """out (6, 6) = scale * L(y), where L(y) x = ad_x^T y for a twist x and a wrench or momentum y."""
    out[:] = 0.0
    for row, col, i in ((0, 0, 0), (0, 3, 3), (3, 0, 3)):
        out[row, col + 1] = -scale * y[i + 2]
        out[row + 1, col] = scale * y[i + 2]
        out[row, col + 2] = scale * y[i + 1]
        out[row + 2, col] = -scale * y[i + 1]
        out[row + 1, col + 2] = -scale * y[i]
        out[row + 2, col + 1] = scale * y[i]


@njit
def Ad_inv_matrix(R: np.ndarray, p: np.ndarray, out: np.ndarray) -> None:
    """out (6, 6) = Ad(g)^-1 of the pose g = (R, p): [[R^T, 0], [-R^T hat(p), R^T]]."""
    for i in range(3):
        for k in range(3):
            out[i, k] = R[k, i]
            out[i + 3, k + 3] = R[k, i]
            out[i, k + 3] = 0.0
        out[i + 3, 0] = R[2, i] * p[1] - R[1, i] * p[2]
        out[i + 3, 1] = R[0, i] * p[2] - R[2, i] * p[0]
        out[i + 3, 2] = R[1, i] * p[0] - R[0, i] * p[1]
