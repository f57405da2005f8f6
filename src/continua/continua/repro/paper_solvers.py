"""The solvers that the paper names (soft_synergies section II-C), for speed-ups by the same means.

MATLAB's ode45 is the explicit method of Dormand and Prince with error control, and so is SciPy's RK45. Its
fsolve is a dogleg method in a trust region with a Jacobian by differences, and so is SciPy's dogbox without
bounds. Both at MATLAB's tolerances.
"""

import time
from collections.abc import Callable

import numpy as np
from scipy.optimize import least_squares

from continua.reduction import Excitation
from continua.reduction.cases import Equilibria
from continua.repro.study import Study
from continua.rod import Rod
from continua.rod.scipy_adapter import solve
from continua.rod.stations import station

__all__ = ['speed_up_by_fsolve', 'speed_up_by_ode45']

_ODE45 = {'method': 'RK45', 'rtol': 1e-3, 'atol': 1e-6}
_FSOLVE = {'method': 'dogbox', 'xtol': 1e-6, 'ftol': None, 'gtol': None}


def speed_up_by_ode45(study: Study, modes: int, duration: float) -> float:
    """Wall time of the full model in that of the reduced one, for the first `duration` s of the tested
    motion, from rest; shorter than inputs are held."""
    return _ratio(study, modes, lambda rod: _move(rod, study.tested, duration))


def speed_up_by_fsolve(study: Study, modes: int) -> float:
    """Wall time of the full model in that of the reduced one, for the tested equilibria that both reach from
    the reference shape.

    Raises RuntimeError where there are none.
    """
    reduced, full = _models(study, modes)
    both = [u for u in study.tested.inputs if all(_find(rod, u, study.tested) for rod in (reduced, full))]
    if not both:
        raise RuntimeError(f'{study.robot.name}: fsolve finds none of the tested equilibria')
    return _ratio(study, modes, lambda rod: [_find(rod, u, study.tested) for u in both])


def _models(study: Study, modes: int) -> tuple[Rod, Rod]:
    """The reduced and the full model."""
    robot = study.tested.robot(study.robot)
    return Rod(robot, modes=study.found.modes[:, :modes]), Rod(robot)


def _ratio(study: Study, modes: int, task: Callable[[Rod], object]) -> float:
    seconds = []
    for rod in _models(study, modes):
        start = time.perf_counter()
        task(rod)
        seconds.append(time.perf_counter() - start)
    return seconds[1] / seconds[0]


def _move(rod: Rod, tested: Excitation, duration: float) -> None:
    load = np.zeros((rod.arc_length.size, 6))
    if tested.place is not None:
        load[station(rod, *tested.place)] = tested.wrench[0]
    rest, times = np.zeros(rod.dof), np.array([0.0, duration])
    solve(rod, times, rest, u=lambda t: tested.inputs[0], options=_ODE45, load=load)


def _find(rod: Rod, u: np.ndarray, tested: Equilibria) -> bool:
    def force(x: np.ndarray) -> np.ndarray:
        return rod.scale * rod.residual(rod.scale * x, u=u, gravity=tested.gravity)

    return least_squares(force, np.zeros(rod.dof), **_FSOLVE).success
