"""The collocation rod as one CasADi expression: for optimal control and other solvers."""

import casadi as ca

from continua.cosserat.elements import interval_residual, tip_residual, turn
from continua.cosserat.properties import PARAMETERS
from continua.cosserat.rod import CollocationRod

__all__ = ['implicit_form', 'tip_position']


def implicit_form(rod: CollocationRod) -> ca.Function:
    """c_eq (n,) of x (n,), xd (n,), u (m,) and theta (5,): eq 19, in the conventions of `CollocationRod`."""
    N, properties = rod.nodes, rod.properties
    x, xd = ca.SX.sym('x', rod.n), ca.SX.sym('xd', rod.n)
    u, theta = ca.SX.sym('u', len(rod.input_names)), ca.SX.sym('theta', len(PARAMETERS))
    material = (_compliance(rod, theta), _damping(rod, theta), ca.DM(properties.inertia))
    pressure, h = ca.DM(properties.pressure_wrench) @ u, theta[0] / (N - 1)
    at, rate = _nodes(x, N), _nodes(xd, N)
    weights, tip_gravity = _gravity(rod, at, material[0], theta[0])

    stress = [value[6:] + material[1] * change[6:] for value, change in zip(at, rate, strict=True)]
    rows = [stress[0] - x[:6] - material[1] * xd[:6] - pressure]
    for i in range(N - 1):
        rows.append(
            interval_residual(at[i], at[i + 1], rate[i], rate[i + 1], weights[i], material, pressure, h)
        )
    inertia = theta[1] * ca.DM(properties.tip_inertia)
    rows.append(tip_residual(at[-1], rate[-1], tip_gravity, material[1], inertia, pressure))
    names = ['x', 'xd', 'u', 'theta'], ['c_eq']
    return ca.Function('implicit_form', [x, xd, u, theta], [ca.vertcat(*rows)], *names)


def tip_position(rod: CollocationRod) -> ca.Function:
    """Position (3,) m of the robot's tip in the world, of x (n,) and theta (5,): eq 30."""
    x, theta = ca.SX.sym('x', rod.n), ca.SX.sym('theta', len(PARAMETERS))
    R, p = ca.SX.eye(3), ca.SX(3, 1)
    straight, length = ca.DM([0, 0, 1, 0, 0, 0]), theta[0]
    for wrench, share in _fine_grid(rod, _nodes(x, rod.nodes)):
        twist = share * length * (_compliance(rod, theta) * wrench + straight)
        turned, left = turn(twist[3:])
        R, p = R @ turned, p + R @ left @ twist[:3]
    (base_R, base_p), (_, tip_p) = rod.properties.base, rod.properties.tip
    position = ca.DM(base_p) + ca.DM(base_R) @ (p + R @ ca.DM(tip_p))
    return ca.Function('tip_position', [x, theta], [position], ['x', 'theta'], ['position'])


def _nodes(x: ca.SX, nodes: int) -> list[ca.SX]:
    """The nodes (12,) of a state; that of the base does not move."""
    return [ca.vertcat(ca.SX(6, 1), x[6:12]), *(x[12 * i : 12 * i + 12] for i in range(1, nodes))]


def _compliance(rod: CollocationRod, theta: ca.SX) -> ca.SX:
    own = rod.properties
    ratio = theta[2] / own.theta[2]
    C = own.compliance
    return ca.vertcat(C[0], C[1], theta[3], C[3] * ratio, C[4] * ratio, C[5])


def _damping(rod: CollocationRod, theta: ca.SX) -> ca.SX:
    D, ratio = rod.properties.damping, theta[4] / rod.properties.theta[4]
    return ca.vertcat(D[0], D[1], D[2], D[3] * ratio, D[4] * ratio, D[5])


def _fine_grid(rod: CollocationRod, nodes: list[ca.SX]) -> list[tuple[ca.SX, float]]:
    """Elastic wrench (6,) in the middle of each subinterval, and the subinterval's share of the length."""
    sub, share = rod.subintervals, 1.0 / (rod.subintervals * (rod.nodes - 1))
    places = [(j + 0.5) / sub for j in range(sub)]
    pairs = zip(nodes[:-1], nodes[1:], strict=True)
    return [((1.0 - t) * left[6:] + t * right[6:], share) for left, right in pairs for t in places]


def _gravity(
    rod: CollocationRod, nodes: list[ca.SX], compliance: ca.SX, length: ca.SX
) -> tuple[list[ca.SX], ca.SX]:
    """Gravity's force (3,) N on each interval (algorithm 1, trapezoidal rule), and gravity at the tip."""
    R, g = ca.SX.eye(3), ca.DM(rod.properties.gravity)
    local = [g]
    for wrench, share in _fine_grid(rod, nodes):
        R = R @ turn(share * length * compliance[3:] * wrench[3:])[0]
        local.append(R.T @ g)
    sub = rod.subintervals
    mass = rod.properties.inertia[0] * length / (sub * (rod.nodes - 1))
    weights = []
    for i in range(rod.nodes - 1):
        points = local[i * sub : (i + 1) * sub + 1]
        weights.append(mass * (sum(points[1:-1], 0.5 * (points[0] + points[-1]))))
    return weights, local[-1]
