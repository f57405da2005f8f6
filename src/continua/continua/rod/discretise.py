"""From a robot description to the arrays that the kernels see: stations, segments, quadrature, inertia."""

import math
from collections.abc import Sequence

import numpy as np

from continua.actuation.threadlike import TendonArrays
from continua.description import Robot, SoftLink
from continua.lie.so3 import matrix_from_quaternion
from continua.rod.arrays import RodArrays
from continua.rod.basis import legendre_basis

__all__ = ['discretise_rod', 'discretise_tendons']


def discretise_rod(
    robot: Robot, order: Sequence[int | None], points: int | None = None, probes: np.ndarray | None = None
) -> RodArrays:
    """Discretise the robot's clamped soft link.

    order: Legendre degrees (see `legendre_basis`). points: Gauss points along the link; None takes the robot
    file's number or else four more than the highest degree, which keeps the tip of a strongly bent arm within
    1e-3 of its length, and mostly 1e-4. probes: (m,) m, arc lengths at which poses are wanted as well. Each
    becomes a massless leaf station on a branch of its own, after all others, so the motion is the same with
    and without them. Raises ValueError where there are too few points for the basis.
    """
    link = robot.links[0]
    degree = max(-1 if k is None else k for k in order)
    if points is None:
        points = degree + 4 if link.quadrature_points is None else link.quadrature_points
    if points <= degree:
        raise ValueError(
            f'quadrature_points: expected more than the highest degree of the basis, {degree}, got {points}; '
            'with fewer the mass matrix is singular'
        )
    X, weight = _stations(_divisions(robot), points)
    parent, end = np.arange(X.size - 1), X[1:]
    if probes is not None:
        parent = np.append(parent, np.searchsorted(X, probes, side='right') - 1)
        end = np.append(end, probes)
    h = end - X[parent]
    middle, offset = X[parent] + 0.5 * h, math.sqrt(3.0) / 6.0 * h
    X, weight = np.append(X[:1], end), np.append(weight, np.zeros(end.size + 1 - weight.size))
    phi = legendre_basis(order, X / link.length)
    stiffness, damping = _stiffness_and_damping(link, order, degree)
    _, _, inertia = _section_matrices(link, X)
    ref = np.asarray(link.reference_strain, dtype=float)
    return RodArrays(
        parent=parent,
        h=h,
        commutator=math.sqrt(3.0) / 12.0 * h**2,
        phi_1=legendre_basis(order, (middle - offset) / link.length),
        phi_2=legendre_basis(order, (middle + offset) / link.length),
        ref_1=np.tile(ref, (h.size, 1)),
        ref_2=np.tile(ref, (h.size, 1)),
        arc_length=X,
        weight=weight,
        phi=phi,
        ref=np.tile(ref, (X.size, 1)),
        inertia=weight[:, None, None] * inertia,
        stiffness=stiffness,
        damping=damping,
        base_R=matrix_from_quaternion(np.array(robot.base.orientation_xyzw)),
        base_p=np.array(robot.base.position, dtype=float),
        gravity=np.array(robot.gravity, dtype=float),
    )


def discretise_tendons(robot: Robot, X: np.ndarray, weight: np.ndarray) -> TendonArrays:
    """Sample the tendons at stations of arc length X (N,) m with quadrature weights (N,) m."""
    K, N = len(robot.tendons), X.size
    offset, slope = np.zeros((K, N, 3)), np.zeros((K, N, 3))
    active = np.zeros((K, N), dtype=bool)
    for k, tendon in enumerate(robot.tendons):
        begin, end = tendon.range
        active[k] = np.abs(X - 0.5 * (begin + end)) <= 0.5 * (end - begin) + 1e-12
        offset[k, active[k], 1:] = tendon.path.offset(X[active[k]])
        slope[k, active[k], 1:] = tendon.path.slope(X[active[k]])
    return TendonArrays(
        offset=offset,
        slope=slope,
        weight=np.where(active, weight, 0.0),
        active=active,
        friction=np.array([tendon.friction for tendon in robot.tendons], dtype=float),
    )


def _divisions(robot: Robot) -> np.ndarray:
    """Arc lengths (m) that cut the link into intervals on which all integrands are smooth."""
    length = robot.links[0].length
    cuts = {0.0, length}
    for tendon in robot.tendons:
        cuts.update(float(np.clip(x, 0.0, length)) for x in tendon.range)
    X = np.array(sorted(cuts))
    return X[np.append(True, np.diff(X) > 1e-9 * length)]


def _stations(cuts: np.ndarray, points: int) -> tuple[np.ndarray, np.ndarray]:
    """Arc lengths and weights: Gauss points of each division, and its ends with weight zero.

    Each of several divisions has its share of the points by length, rounded up, and one more.
    """
    X, weight = [cuts[:1]], [np.zeros(1)]
    for begin, end in zip(cuts[:-1], cuts[1:], strict=True):
        share = points if cuts.size == 2 else math.ceil(points * (end - begin) / cuts[-1]) + 1
        node, gauss = np.polynomial.legendre.leggauss(share)
        half = 0.5 * (end - begin)
        X += [begin + half * (1.0 + node), [end]]
        weight += [half * gauss, [0.0]]
    return np.concatenate(X), np.concatenate(weight)


def _stiffness_and_damping(
    link: SoftLink, order: Sequence[int | None], degree: int
) -> tuple[np.ndarray, np.ndarray]:
    """K and D (n, n), soft_synergies eqs 36c and 36d.

    Exact: the integrands are polynomials of twice the basis' degree and four more for the taper. In row order
    for every n, which einsum does not promise: else each order costs a compilation of all kernels.
    """
    X, weight = _stations(np.array([0.0, link.length]), degree + 3)
    phi = legendre_basis(order, X / link.length)
    elasticity, viscosity, _ = _section_matrices(link, X)
    K, D = (
        np.einsum('j,jra,jrs,jsb->ab', weight, phi, section, phi, optimize=True)
        for section in (elasticity, viscosity)
    )
    return np.ascontiguousarray(K), np.ascontiguousarray(D)


def _section_matrices(link: SoftLink, X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Screw elasticity, viscosity and inertia density matrices (N, 6, 6), soft_synergies eq 36.

    Circular sections, linear elasticity, Kelvin-Voigt damping. The material's damping is the shear viscosity
    (SoRoSim's convention), so bending and stretching are damped 2 (1 + nu) times as much: Trouton's ratio 3
    for an incompressible material.
    """
    material = link.material
    area = link.area(X)
    polar, bending_y, bending_z = np.moveaxis(link.second_moments(X), -1, 0)
    shear = 0.5 / (1.0 + material.poisson_ratio)
    shape = np.stack([shear * polar, bending_y, bending_z, area, shear * area, shear * area], axis=-1)
    mass = np.stack([polar, bending_y, bending_z, area, area, area], axis=-1)
    diagonal = np.eye(6) * np.ones((X.size, 1, 1))
    return (
        material.youngs_modulus * shape[:, :, None] * diagonal,
        2.0 * (1.0 + material.poisson_ratio) * material.damping * shape[:, :, None] * diagonal,
        material.density * mass[:, :, None] * diagonal,
    )
