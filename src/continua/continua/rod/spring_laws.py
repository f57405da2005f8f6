"""From joints' springs, rest positions and stops to the laws that the kernels see."""

from collections.abc import Callable, Mapping

import numpy as np

from continua.rod.assembly import Assembly
from continua.rod.springs import SpringArrays

__all__ = ['Springs', 'spring_laws', 'spring_stiffness']

Springs = Mapping[str, Callable[[np.ndarray], np.ndarray]]
_TABLE = 401  # knots of a spring law that is a function


def spring_laws(assembly: Assembly, given: Springs) -> SpringArrays:
    """Laws of all joint coordinates that have a table, a function, a rest position or stops."""
    laws = []
    for link in assembly.robot.links:
        columns = range(*assembly.joints[link.name].indices(assembly.size))
        rest = getattr(link.joint, 'rest', None) or (0.0,) * len(columns)
        for column, zero in zip(columns, rest, strict=True):
            knots, law = _law(link.joint, zero, given.get(link.name))
            if knots:
                # straight beyond the outermost knots, so one more on each side has the slope there
                x = np.unique([min(knots) - 1.0, *knots, max(knots) + 1.0])
                laws.append((column, x, law(x)))
    size = max((x.size for _, x, _ in laws), default=2)
    padded = [(x, np.append(x, x[-1] + np.arange(1.0, size - x.size + 1.0)), f) for _, x, f in laws]
    return SpringArrays(
        direction=assembly.in_modes(np.eye(assembly.size)[[column for column, _, _ in laws]]),
        knots=np.array([x for _, x, _ in padded]).reshape(-1, size),
        force=np.array([_extend(x, f, longer) for x, longer, f in padded]).reshape(-1, size),
    )


def _extend(x: np.ndarray, f: np.ndarray, longer: np.ndarray) -> np.ndarray:
    """f at `longer`, straight beyond the last of x."""
    slope = (f[-1] - f[-2]) / (x[-1] - x[-2])
    return np.where(longer <= x[-1], np.interp(longer, x, f), f[-1] + slope * (longer - x[-1]))


def _law(joint, rest: float, given: Callable | None) -> tuple[list[float], Callable]:
    """Knots of what is not linear in a joint's coordinate, none where all is, and the force at (m,) knots."""
    knots: list[float] = []
    stiffness, limits = getattr(joint, 'stiffness', 0.0), getattr(joint, 'limits', None)
    if given is not None:
        low, high = limits.range if limits else (-np.pi, np.pi)
        knots += [float(x) for x in np.linspace(low, high, _TABLE)]
    elif not isinstance(stiffness, float):
        knots += [rest + x for x in stiffness.coordinate]
    elif rest and stiffness:
        knots += [rest]
    if limits:
        knots += list(limits.range)

    def force(x: np.ndarray) -> np.ndarray:
        if given is not None:
            out = np.asarray(given(x), dtype=float)
        elif not isinstance(stiffness, float):
            out = stiffness.force_at(x - rest)
        else:
            # the linear part is in K
            out = np.full(x.size, -stiffness * rest)
        if limits:
            low, high = limits.range
            out = out + limits.stiffness * (np.maximum(x - high, 0.0) - np.maximum(low - x, 0.0))
        return out

    return knots, force


def spring_stiffness(s: SpringArrays, q: np.ndarray) -> np.ndarray:
    """Stiffness (n, n) of the laws at q (n,): their slopes there."""
    x = s.direction @ q
    piece = np.clip((s.knots < x[:, None]).sum(axis=1) - 1, 0, s.knots.shape[1] - 2)[:, None]
    rise, run = (np.take_along_axis(np.diff(each, axis=1), piece, axis=1) for each in (s.force, s.knots))
    return s.direction.T @ (rise / run * s.direction)
