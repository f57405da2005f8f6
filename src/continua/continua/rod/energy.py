"""Energy balance of a motion: kinetic + elastic + potential + dissipated - work of the inputs is constant.

Integrals over time are Simpson's rule on each step, with the state in its middle from the cubic Hermite
polynomial through both ends: of fourth order in the step.
"""

from dataclasses import dataclass

import numpy as np

from continua.rod.rod import Rod

__all__ = ['EnergyBalance', 'energy_balance']


@dataclass(frozen=True)
class EnergyBalance:
    """Energies in J at m times: time (m,) s; each of the others (m,).

    potential counts from the world's origin; input_work, load_work and dissipated from the first time on.
    load_work is that of all external loads but gravity. Drives that move joints to
    positions are not counted.
    """

    time: np.ndarray
    kinetic: np.ndarray
    elastic: np.ndarray
    potential: np.ndarray
    input_work: np.ndarray
    load_work: np.ndarray
    dissipated: np.ndarray

    @property
    def imbalance(self) -> np.ndarray:
        """What the energies are off the first law (m,) J, 0 at the first time: the error of integration."""
        stored = self.kinetic + self.elastic + self.potential
        return stored - stored[0] + self.dissipated - self.input_work - self.load_work


def energy_balance(
    rod: Rod, time: np.ndarray, q: np.ndarray, qd: np.ndarray, u: np.ndarray, gravity: bool = True
) -> EnergyBalance:
    """Balance of the motion q, qd (m, n) at times (m,) s under inputs u (m, K), linear between the times."""
    rest = np.zeros(rod.dof)
    elastic = np.array([rod.energy(each, rest, gravity=False) for each in q])
    kinetic = np.array([rod.energy(a, b, gravity=False) for a, b in zip(q, qd, strict=True)]) - elastic
    potential = np.zeros_like(elastic)
    if gravity:
        potential = np.array([rod.energy(each, rest) for each in q]) - elastic
    work = _integrate(rod, time, q, qd, u)
    # The engine counts springs that are not linear among the external forces; their energy is elastic here.
    springs = elastic - 0.5 * np.einsum('mi,ij,mj->m', q, rod.stiffness, q)
    work[:, 1] += springs - springs[0]
    return EnergyBalance(time, kinetic, elastic, potential, *work.T)


def _integrate(rod: Rod, time: np.ndarray, q: np.ndarray, qd: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Work of the inputs, of the loads, and dissipated energy (m, 3) J up to each time."""
    h = np.diff(time)[:, None]
    middle_q = 0.5 * (q[:-1] + q[1:]) + 0.125 * h * (qd[:-1] - qd[1:])
    middle_qd = 1.5 * (q[1:] - q[:-1]) / h - 0.25 * (qd[:-1] + qd[1:])
    at_ends = _power(rod, q, qd, u)
    in_middle = _power(rod, middle_q, middle_qd, 0.5 * (u[:-1] + u[1:]))
    each = h / 6.0 * (at_ends[:-1] + 4.0 * in_middle + at_ends[1:])
    return np.vstack([np.zeros((1, 3)), np.cumsum(each, axis=0)])


def _power(rod: Rod, q: np.ndarray, qd: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Power of the inputs, of the loads, and dissipation (m, 3) W."""
    damping = rod.damping
    rows = [
        [
            rate @ rod.actuation_matrix(each) @ value,
            rate @ rod.external_force(each, gravity=False),
            rate @ damping @ rate,
        ]
        for each, rate, value in zip(q, qd, u, strict=True)
    ]
    return np.array(rows).reshape(-1, 3)
