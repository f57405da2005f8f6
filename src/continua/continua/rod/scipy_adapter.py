"""Motions by the solvers of `scipy.integrate.solve_ivp`, to check others or to use what they offer."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from continua.rod.rod import Rod

__all__ = ['right_hand_side', 'solve']

Inputs = Callable[[float], np.ndarray]


def right_hand_side(
    rod: Rod, u: Inputs | None = None, **acting: Any
) -> Callable[[float, np.ndarray], np.ndarray]:
    """t (s), x = [q, qd] (2n,) -> xd (2n,), under inputs u: t -> (m,) (zero for None) and `Rod.conditions`.

    Constraints hold at acceleration level only: what rounding opens stays open.
    """
    n = rod.dof

    def rate(t: float, x: np.ndarray) -> np.ndarray:
        inputs = None if u is None else u(t)
        return np.concatenate([x[n:], rod.acceleration(x[:n], x[n:], u=inputs, **acting)])

    return rate


def solve(
    rod: Rod,
    times: np.ndarray,
    q0: np.ndarray,
    qd0: np.ndarray | None = None,
    u: Inputs | None = None,
    options: dict[str, Any] | None = None,
    **acting: Any,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Motion from q0, qd0 (n,) (at rest for None) at the first of `times` (k,) s: t (k,), q (k, n), qd (k,
    n).

    options: of solve_ivp, as method, rtol, atol; Radau by default, which bears stiffness. The inputs should
    be smooth between the first time and the last. Raises RuntimeError where the solver gives up.
    """
    times = np.asarray(times, dtype=float)
    start = np.concatenate([q0, np.zeros(rod.dof) if qd0 is None else qd0])
    settings = {'method': 'Radau'} | (options or {})
    found = solve_ivp(
        right_hand_side(rod, u, **acting), (times[0], times[-1]), start, t_eval=times, **settings
    )
    if not found.success:
        raise RuntimeError(f'{settings["method"]}: {found.message} (at {found.t[-1]:g} s of {times[-1]:g} s)')
    return found.t, found.y[: rod.dof].T, found.y[rod.dof :].T
