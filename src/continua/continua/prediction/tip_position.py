"""The tip of a collocation rod's state, on NumPy or PyTorch, for many states at once.

Sections turn by quaternions in the middles of a few steps along the rod: second order in the step, where the
rod's own grid (algorithm 1 of nempc) is made for gravity. For costs, which ask for many states.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from continua.arrays import Arrays
from continua.cosserat import CollocationRod

__all__ = ['tip_position']


def tip_position(rod: CollocationRod, arrays: Arrays, steps: int = 2) -> Callable[[Any, Any], Any]:
    """position(x (k, n), parameters (k, 1)) -> (k, 3) m in the world; the parameter is the bending
    compliance. steps: between two nodes."""
    properties, put = rod.properties, arrays.put
    length, bending = rod.theta[0], rod.theta[2]
    compliance, base_R, base_p = (
        put(properties.compliance),
        put(properties.base[0].T),
        put(properties.base[1]),
    )
    tip = properties.tip[1].tolist()
    ds = length / (steps * (rod.nodes - 1))
    t = (np.arange(steps) + 0.5) / steps
    before, after = put((1.0 - t)[:, None]), put(t[:, None])

    def position(x: Any, parameters: Any) -> Any:
        wrench = x.reshape(len(x), rod.nodes, 1, 12)[..., 6:]
        strain = (before * wrench[:, :-1] + after * wrench[:, 1:]).reshape(len(x), -1, 6) * compliance
        softer = parameters[:, 0] / bending
        q, p = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for k in range(steps * (rod.nodes - 1)):
            vx, vy, stretch, ax, ay, az = (strain[:, k, i] for i in range(6))
            half = _turn(0.5 * ds * softer * ax, 0.5 * ds * softer * ay, 0.5 * ds * az)
            middle = _product(q, half)
            step = _turned(middle, (ds * vx, ds * vy, ds * (stretch + 1.0)))
            p = tuple(a + b for a, b in zip(p, step, strict=True))
            q = _product(middle, half)
        end = [a + b for a, b in zip(p, _turned(q, tip), strict=True)]
        return base_p + arrays.functions.stack(end, -1) @ base_R

    return position


def _turn(x: Any, y: Any, z: Any) -> tuple[Any, Any, Any, Any]:
    """Quaternion wxyz of a rotation vector whose angle is small: to the sixth power of half of it."""
    a2 = 0.25 * (x * x + y * y + z * z)
    sine = 0.5 * (1.0 - a2 / 6.0 * (1.0 - a2 / 20.0))
    return 1.0 - 0.5 * a2 * (1.0 - a2 / 12.0), sine * x, sine * y, sine * z


def _product(a: tuple, b: tuple) -> tuple[Any, Any, Any, Any]:
    (aw, ax, ay, az), (bw, bx, by, bz) = a, b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def _turned(q: tuple, v: tuple) -> tuple[Any, Any, Any]:
    """v + 2 w (u x v) + 2 u x (u x v) for the unit quaternion (w, u)."""
    w, x, y, z = q
    cx, cy, cz = y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]
    return (
        v[0] + 2.0 * (w * cx + y * cz - z * cy),
        v[1] + 2.0 * (w * cy + z * cx - x * cz),
        v[2] + 2.0 * (w * cz + x * cy - y * cx),
    )
