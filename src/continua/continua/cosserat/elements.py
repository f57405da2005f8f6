"""The pieces of the collocation rod as CasADi expressions: rigid motions, one interval, the body at the tip.

Everything in this folder but `properties` is in the paper's convention (adaptive_nempc_ddpinn, section III):
twists and wrenches are linear first, z is the rod's tangent, and a node's state is x = [x1; x2] (12,), the
velocity x1 = [q; w] m/s, rad/s and the elastic wrench x2 = C^-1 strain = [n; m] N, N m (eq 2).
"""

import math

import casadi as ca

__all__ = ['generated_source', 'interval_residual', 'motion', 'tip_residual', 'turn']

_TERMS = 9
"""Of the power series below: 1e-15 for an angle of 1.5 rad, and a rod turns far less between fine points."""


def _ad(x: ca.SX) -> ca.SX:
    """Adjoint (6, 6) of a twist, linear first: the operator written as a rotated 'less than' in the paper."""
    return ca.vertcat(ca.horzcat(ca.skew(x[3:]), ca.skew(x[:3])), ca.horzcat(ca.SX(3, 3), ca.skew(x[3:])))


def _series(square: ca.SX, first: int) -> ca.SX:
    """sum_k (-square)^k / (2 k + first)!: smooth at zero, where sin(t) / t and its kin need a case apart."""
    total = ca.SX(0.0)
    for k in reversed(range(_TERMS)):
        total = 1.0 / math.factorial(2 * k + first) - total * square
    return total


def turn(phi: ca.SX) -> tuple[ca.SX, ca.SX]:
    """Exp (3, 3) of a rotation vector, and its left Jacobian (3, 3): Exp(phi) Jr(phi) with the right one."""
    square, hat = ca.sumsqr(phi), ca.skew(phi)
    a, b, c = (_series(square, first) for first in (1, 2, 3))
    return ca.SX.eye(3) + a * hat + b * (hat @ hat), ca.SX.eye(3) + b * hat + c * (hat @ hat)


def motion(X: ca.SX) -> tuple[ca.SX, ca.SX, ca.SX]:
    """Exp of a twist X (6,) on SE(3): rotation (3, 3), translation (3,), and the right Jacobian (6, 6), which
    takes a change of X to the body twist of the pose."""
    R, left = turn(X[3:])
    p = left @ X[:3]
    rotation_rate = ca.jacobian(ca.vec(R), X[3:])
    angular = [ca.inv_skew(R.T @ ca.reshape(rotation_rate[:, j], 3, 3)) for j in range(3)]
    linear = R.T @ ca.jacobian(p, X)
    return R, p, ca.vertcat(linear, ca.horzcat(ca.SX(3, 3), *angular))


def interval_residual(
    left: ca.SX,
    right: ca.SX,
    left_rate: ca.SX,
    right_rate: ca.SX,
    weight: ca.SX,
    material: tuple[ca.SX, ca.SX, ca.SX],
    pressure: ca.SX,
    h: ca.SX,
) -> ca.SX:
    """c_eq,i (12,) of eq 15: compatibility (eq 5) and balance (eq 4), integrated by the midpoint rule.

    left, right (12,) and their rates: the nodes at both ends, h (m) apart. weight (3,): gravity's force on
    the interval, N, from the fine grid (eq 18). material: diagonals (6,) of C, D_tau, M. pressure (6,): w_p
    of eq 7; its distributed part is eq 8.
    """
    C, D, M = material
    x, rate = 0.5 * (left + right), 0.5 * (left_rate + right_rate)
    x1, x2 = x[:6], x[6:]
    strain = C * x2 + ca.DM([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    compatibility = right[:6] - left[:6] - h * (C * rate[6:] - _ad(strain) @ x1)
    stress = x2 + D * rate[6:]
    step = right[6:] + D * right_rate[6:] - left[6:] - D * left_rate[6:]
    inertia = M * rate[:6] - _ad(x1).T @ (M * x1)
    balance = step - h * (_ad(strain).T @ (stress - pressure) + inertia)
    balance += ca.vertcat(weight, ca.SX(3, 1))
    return ca.vertcat(compatibility, balance)


def tip_residual(
    x: ca.SX, rate: ca.SX, gravity: ca.SX, damping: ca.SX, inertia: ca.SX, pressure: ca.SX
) -> ca.SX:
    """Condition (6,) at the last node: transmission (eq 17) to the rigid body at the tip.

    The paper ends the rod free, x2+ = 0, and smears the body's mass over the last interval. The body's own
    balance in place of x2+ = 0 costs no state, since its velocity is that of the node. gravity (3,): m/s2, in
    section axes; inertia (6, 6): spatial, at the last section.
    """
    x1, x2 = x[:6], x[6:]
    load = inertia @ (rate[:6] - ca.vertcat(gravity, ca.SX(3, 1))) - _ad(x1).T @ (inertia @ x1)
    return x2 + damping * rate[6:] - pressure + load


def generated_source() -> str:
    """C of what `collocation.c` calls: residuals, a d/dx + b d/dxdot of them, and motions."""
    nodes = [ca.SX.sym(name, 12) for name in ('left', 'right', 'left_rate', 'right_rate')]
    weight, pressure, h = ca.SX.sym('weight', 3), ca.SX.sym('pressure', 6), ca.SX.sym('h')
    material = [ca.SX.sym(name, 6) for name in ('C', 'D', 'M')]
    a, b = ca.SX.sym('a'), ca.SX.sym('b')
    residual = interval_residual(*nodes, weight, tuple(material), pressure, h)
    given = [*nodes, weight, *material, pressure, h]
    jacobians = [
        a * ca.jacobian(residual, node) + b * ca.jacobian(residual, rate)
        for node, rate in zip(nodes[:2], nodes[2:], strict=True)
    ]

    x, rate, gravity = ca.SX.sym('x', 12), ca.SX.sym('rate', 12), ca.SX.sym('gravity', 3)
    inertia = ca.SX.sym('inertia', 6, 6)
    tip = tip_residual(x, rate, gravity, material[1], inertia, pressure)
    tip_given = [x, rate, gravity, material[1], inertia, pressure]
    tip_jacobian = a * ca.jacobian(tip, x) + b * ca.jacobian(tip, rate)

    phi, X = ca.SX.sym('phi', 3), ca.SX.sym('X', 6)
    functions = [
        ca.Function('interval_residual', given, [residual]),
        ca.Function('interval_matrix', [*given, a, b], [ca.densify(each.T) for each in jacobians]),
        ca.Function('tip_residual', tip_given, [tip]),
        ca.Function('tip_matrix', [*tip_given, a, b], [ca.densify(tip_jacobian.T)]),
        ca.Function('turn', [phi], [ca.densify(each.T) for each in turn(phi)]),
        ca.Function('motion', [X], [ca.densify(each.T) for each in motion(X)]),
    ]
    generator = ca.CodeGenerator('elements.c', {'with_export': False})
    for function in functions:
        generator.add(function)
    return generator.dump()
