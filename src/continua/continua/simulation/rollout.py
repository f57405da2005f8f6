"""A robot's motion under inputs that are known in advance: the open-loop simulation of a model."""

import math
import time as clock
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from continua.rod import Integrator, Rod
from continua.rod.actuators import position_drives

__all__ = ['Trajectory', 'rollout']

STATIONS = 51  # of the backbone


@dataclass(frozen=True)
class Trajectory:
    """A motion at m times: time (m,) s; q (m, n) and qd (m, n) 1/s; u (m, K + P) inputs, then the targets of
    position drives; tip_position (m, 3) m and tip_quaternion_xyzw (m, 4) in world; backbone (m, s, 3) m in
    world at arc_length (s,) m.

    complete: whether the motion reached its end; message: one sentence on how it went; wall_time: s, of the
    integration.
    """

    time: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    u: np.ndarray
    tip_position: np.ndarray
    tip_quaternion_xyzw: np.ndarray
    arc_length: np.ndarray
    backbone: np.ndarray
    complete: bool
    message: str
    wall_time: float

    @property
    def real_time_factor(self) -> float:
        """Simulated seconds per second of integration."""
        return float(self.time[-1] - self.time[0]) / max(self.wall_time, 1e-9)


def rollout(
    rod: Rod,
    inputs: Callable[[float], np.ndarray],
    t_end: float,
    dt: float = 5e-3,
    gravity: bool = True,
    q0: np.ndarray | None = None,
    progress: Callable[[float], None] = lambda t: None,
) -> Trajectory:
    """Integrate from rest at q0 (n,), the reference shape by default, to t_end in steps of dt or less (s).

    inputs: t -> (K + P,), values of `rod.input_names` and then `rod.target_names`; each step takes those at
    its middle, and the rates of the targets from its ends. progress is called with the time reached. A step
    that cannot be solved ends the motion early, and the message says so. Raises ValueError where t_end or dt
    is not positive.
    """
    for name, value in (('t_end', t_end), ('dt', dt)):
        if not (math.isfinite(value) and value > 0.0):
            raise ValueError(f'{name}: expected a positive time in s, got {value}')
    steps = max(1, math.ceil(t_end / dt - 1e-9))
    time = t_end / steps * np.arange(steps + 1)
    K = len(rod.input_names)

    # a drive with a time constant lags behind its target, one without follows it
    follows = np.array([drive.time_constant == 0.0 for drive in position_drives(rod.robot)], dtype=float)

    def step(motion: Integrator, begin: float, end: float) -> bool:
        values, rate = inputs(0.5 * (begin + end)), (inputs(end) - inputs(begin))[K:] / (end - begin)
        return motion.step(
            end - begin, values[:K], target=values[K:], target_rate=follows * rate, gravity=gravity
        )

    motion = Integrator(rod)
    motion.reset(np.zeros(rod.dof) if q0 is None else q0)
    step(Integrator(rod), 0.0, time[1])  # the kernels are loaded before the clock runs
    q, qd, start = [motion.q], [motion.qd], clock.perf_counter()
    for begin, end in zip(time[:-1], time[1:], strict=True):
        if not step(motion, begin, end):
            break
        q.append(motion.q)
        qd.append(motion.qd)
        progress(float(end))
    wall, done = clock.perf_counter() - start, time[: len(q)]
    complete = len(q) == len(time)
    message = f'{t_end:g} s in {steps} steps' if complete else _failure(done[-1], t_end, time[1])
    shapes = [rod.shape(each, np.linspace(0.0, rod.length, STATIONS)) for each in q]
    return Trajectory(
        time=done,
        q=np.array(q),
        qd=np.array(qd),
        u=np.array([inputs(t) for t in done]),
        tip_position=np.array([shape.position[-1] for shape in shapes]),
        tip_quaternion_xyzw=np.array([shape.orientation_xyzw[-1] for shape in shapes]),
        arc_length=shapes[0].arc_length,
        backbone=np.array([shape.position for shape in shapes]),
        complete=complete,
        message=message,
        wall_time=wall,
    )


def _failure(reached: float, t_end: float, dt: float) -> str:
    return (
        f'the motion could not be integrated beyond {reached:g} s of {t_end:g} s: the rod may fold or be '
        f'squeezed there; lower the inputs, change them more slowly, or step shorter than {dt:g} s'
    )
