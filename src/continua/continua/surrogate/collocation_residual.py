"""The implicit form c_eq of the collocation rod in torch, for the physics loss of the DD-PINN (eq 37).

The equations of `continua.cosserat.elements` for batches of states: differentiable, in any precision, on any
device. Shapes below: B states, N nodes, K = N - 1 intervals of S subintervals.
"""

import math

import torch

from continua.cosserat import CollocationRod

__all__ = ['CollocationResidual']

_TERMS = 9  # of the series of sin and its kin, as in `continua.cosserat.elements`


class CollocationResidual:
    """c_eq(x, xd, u, theta), eq 19, with the conventions of `CollocationRod`."""

    def __init__(
        self, rod: CollocationRod, dtype: torch.dtype = torch.float32, device: torch.device | str = 'cpu'
    ):
        """The numbers of `rod` as tensors of this type, on this device."""
        own = rod.properties

        def tensor(values: object) -> torch.Tensor:
            return torch.as_tensor(values, dtype=dtype, device=device)

        self.nodes, self.subintervals = rod.nodes, rod.subintervals
        self.theta, self.compliance, self.damping = map(tensor, (own.theta, own.compliance, own.damping))
        self.inertia, self.tip_inertia = map(tensor, (own.inertia, own.tip_inertia))
        self.pressure_wrench, self.gravity = map(tensor, (own.pressure_wrench, own.gravity))
        self.straight = tensor([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
        self.middle = (torch.arange(rod.subintervals, dtype=dtype, device=device) + 0.5) / rod.subintervals

    def __call__(
        self, x: torch.Tensor, xd: torch.Tensor, u: torch.Tensor, theta: torch.Tensor | None = None
    ) -> torch.Tensor:
        """c_eq (B, 12 N) of x and xd (B, 12 N), u (B, m) Pa and theta (B, 5), by default the robot's."""
        theta = (self.theta if theta is None else theta).expand(len(x), -1)
        C, D = self._material(theta)
        at, rate = self._nodes(x), self._nodes(xd)
        pressure = (u @ self.pressure_wrench.T)[:, None]
        weight, tip_gravity = self._gravity(at[..., 9:] * C[..., 3:], theta[:, 0])
        stress = at[..., 6:] + D * rate[..., 6:]
        base = stress[:, 0] - x[:, :6] - (D * xd[:, None, :6] + pressure)[:, 0]
        intervals = self._intervals(at, rate, weight, (C, D), pressure, theta[:, 0])
        tip = stress[:, -1] - pressure[:, 0]
        tip = tip + self._tip_load(at[:, -1, :6], rate[:, -1, :6], tip_gravity, theta[:, 1])
        return torch.cat([base, intervals.flatten(1), tip], dim=1)

    def _material(self, theta: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Diagonals (B, 1, 6) of C and D_tau."""
        one = torch.ones_like(theta[:, 0])
        bending, dilatation, slow = (theta[:, i] / self.theta[i] for i in (2, 3, 4))
        C = self.compliance * torch.stack([one, one, dilatation, bending, bending, one], dim=1)
        D = self.damping * torch.stack([one, one, one, slow, slow, one], dim=1)
        return C[:, None], D[:, None]

    def _nodes(self, x: torch.Tensor) -> torch.Tensor:
        """(B, N, 12) [x1; x2] of the nodes; that of the base does not move."""
        nodes = x.view(len(x), self.nodes, 12)
        first = torch.cat([torch.zeros_like(nodes[:, :1, :6]), nodes[:, :1, 6:]], dim=2)
        return torch.cat([first, nodes[:, 1:]], dim=1)

    def _intervals(
        self,
        at: torch.Tensor,
        rate: torch.Tensor,
        weight: torch.Tensor,
        material: tuple[torch.Tensor, torch.Tensor],
        pressure: torch.Tensor,
        length: torch.Tensor,
    ) -> torch.Tensor:
        """c_eq,i (B, K, 12) of eq 15: compatibility (eq 5) and balance (eqs 4 and 8) by the midpoint rule."""
        C, D = material
        h = (length / (self.nodes - 1))[:, None, None]
        middle, middle_rate = 0.5 * (at[:, 1:] + at[:, :-1]), 0.5 * (rate[:, 1:] + rate[:, :-1])
        step, step_rate = at[:, 1:] - at[:, :-1], rate[:, 1:] - rate[:, :-1]
        velocity, strain = middle[..., :6], C * middle[..., 6:] + self.straight
        compatibility = step[..., :6] - h * (C * middle_rate[..., 6:] - _ad(strain, velocity))
        load = _ad_T(strain, middle[..., 6:] + D * middle_rate[..., 6:] - pressure)
        inertia = self.inertia * middle_rate[..., :6] - _ad_T(velocity, self.inertia * velocity)
        balance = step[..., 6:] + D * step_rate[..., 6:] - h * (load + inertia)
        balance = balance + torch.cat([weight, torch.zeros_like(weight)], dim=2)
        return torch.cat([compatibility, balance], dim=2)

    def _gravity(self, curvature: torch.Tensor, length: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Gravity's force on the intervals (B, K, 3) N and gravity at the tip (B, 3) m/s2, of algorithm 1.

        curvature: (B, N, 3) 1/m at the nodes.
        """
        K, S = self.nodes - 1, self.subintervals
        t = self.middle[:, None]
        fine = (1.0 - t) * curvature[:, :-1, None] + t * curvature[:, 1:, None]
        delta = length / (K * S)
        turns = _turn(delta[:, None, None] * fine.flatten(1, 2))
        local = [self.gravity.expand(len(curvature), -1)]
        for j in range(K * S):
            # R_j+1^T g = Exp^T R_j^T g
            local.append((local[-1][:, None] @ turns[:, j])[:, 0])
        points = torch.stack(local, dim=1)
        trapezoids = 0.5 * (points[:, 1:] + points[:, :-1]).unflatten(1, (K, S)).sum(dim=2)
        return (self.inertia[0] * delta)[:, None, None] * trapezoids, points[:, -1]

    def _tip_load(
        self, velocity: torch.Tensor, rate: torch.Tensor, gravity: torch.Tensor, mass: torch.Tensor
    ) -> torch.Tensor:
        """Wrench (B, 6) that moves and carries the body at the tip."""
        falling = rate - torch.cat([gravity, torch.zeros_like(gravity)], dim=1)
        wrench = falling @ self.tip_inertia - _ad_T(velocity, velocity @ self.tip_inertia)
        return mass[:, None] * wrench


def _ad(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """ad_a b of twists (..., 6), linear first."""
    linear = torch.linalg.cross(a[..., 3:], b[..., :3]) + torch.linalg.cross(a[..., :3], b[..., 3:])
    return torch.cat([linear, torch.linalg.cross(a[..., 3:], b[..., 3:])], dim=-1)


def _ad_T(a: torch.Tensor, wrench: torch.Tensor) -> torch.Tensor:
    """ad_a^T of a wrench (..., 6), linear first."""
    force, moment = wrench[..., :3], wrench[..., 3:]
    turned = torch.linalg.cross(force, a[..., :3]) + torch.linalg.cross(moment, a[..., 3:])
    return torch.cat([torch.linalg.cross(force, a[..., 3:]), turned], dim=-1)


def _turn(phi: torch.Tensor) -> torch.Tensor:
    """Exp (..., 3, 3) of rotation vectors (..., 3)."""
    square = (phi * phi).sum(dim=-1)[..., None, None]
    x, y, z = phi.unbind(dim=-1)
    zero = torch.zeros_like(x)
    hat = torch.stack([zero, -z, y, z, zero, -x, -y, x, zero], dim=-1).unflatten(-1, (3, 3))
    eye = torch.eye(3, dtype=phi.dtype, device=phi.device)
    return eye + _series(square, 1) * hat + _series(square, 2) * (hat @ hat)


def _series(square: torch.Tensor, first: int) -> torch.Tensor:
    """sum_k (-square)^k / (2 k + first)!"""
    total = torch.zeros_like(square)
    for k in reversed(range(_TERMS)):
        total = 1.0 / math.factorial(2 * k + first) - total * square
    return total
