"""Nonlinear evolutionary model-predictive control (NEMPC) with any model and any cost (nempc V-B, eq 39).

Each step predicts all candidates over the horizon at once, takes the best, and lets the candidates evolve.
Actuators that follow their command late, such as pressures (eq 32), are part of the prediction. A command
acts `delay` steps after it was asked for; until then the commands of before act, and the prediction begins
where they lead.

Whatever happens, the command is within the limits and their rate. Where the model has no value, or the time
budget is spent before a generation is evaluated, the plan of before is followed, shifted by the steps since
then; and when that plan has ended, the input goes to rest.
"""

import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from continua.arrays import Arrays
from continua.control.costs import Stage
from continua.control.evolution import Evolution, NempcSettings

__all__ = ['Nempc', 'NempcStatus', 'Start', 'first_order_lag']


@dataclass(frozen=True)
class Start:
    """What is known now: state x (n,), parameters (p,) of the model, and what the actuators do, u (m,)."""

    x: np.ndarray
    parameters: np.ndarray
    u: np.ndarray


@dataclass(frozen=True)
class NempcStatus:
    """How a step went.

    status: 'ok', 'late' (the budget was spent: the plan of before), or 'failed' (no candidate has a cost, or
    the start or the reference is no number: likewise). cost: of the best candidate, NaN unless 'ok'. error:
    the root of the cost of the state at the start of the plan. solve_time: s. generations: evaluated. misses:
    steps since the controller was made in which the budget was spent. plan (horizon, m): inputs from the
    command on, as far as it reaches. message: one sentence.
    """

    status: str
    cost: float
    error: float
    solve_time: float
    generations: int
    misses: int
    plan: np.ndarray
    message: str


@dataclass(frozen=True)
class _Search:
    """What a step found: a plan (horizon, m) and its cost, or None."""

    status: str
    message: str
    plan: np.ndarray | None = None
    cost: float = np.nan
    error: float = np.nan
    generations: int = 0


def first_order_lag(time_constant: float, gain: float = 1.0) -> Callable[[Any, Any, float], Any]:
    """Actuators that follow their command u by gain / (time_constant s + 1) (nempc eq 32 with 1 / 10.94 s
    and 11 / 10.94), exactly for a command that is held over a step."""
    if not time_constant > 0.0:
        raise ValueError(f'time_constant: expected a positive number of s, got {time_constant}')

    def follow(applied: Any, u: Any, dt: float) -> Any:
        return applied - math.expm1(-dt / time_constant) * (gain * u - applied)

    return follow


class Nempc:
    """Controller of one model; it keeps its candidates and commands between steps.

    instants: how many rows of reference a step takes.
    """

    def __init__(
        self,
        transition: Callable[[Any, Any, Any, float], Any],
        cost: Callable[[Stage], Any],
        low: np.ndarray,
        high: np.ndarray,
        settings: NempcSettings | None = None,
        actuator: Callable[[Any, Any, float], Any] = lambda applied, u, dt: u,
        rate: np.ndarray | float = np.inf,
        delay: int = 1,
        budget: float = np.inf,
        rest: np.ndarray | None = None,
        arrays: Arrays | None = None,
        seed: int = 0,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """transition(x (N, n), applied (N, m), parameters (N, p), dt) -> (N, n), cost(Stage) -> (N,) and
        actuator(applied (N, m), u (N, m), dt) -> (N, m), all in `arrays`; NaN where there is no value.

        low, high (m,): limits of the inputs; rate: of their change per second. delay: steps until a command
        acts. budget: s for a step. rest (m,): the input at start and without a plan, 0 where the limits allow
        it. The same seed gives the same commands. Raises ValueError where these do not fit.
        """
        low, high = np.atleast_1d(np.asarray(low, dtype=float)), np.atleast_1d(np.asarray(high, dtype=float))
        if low.shape != high.shape or not np.all(np.isfinite(high - low) & (low < high)):
            raise ValueError(f'NEMPC: expected finite limits (m,) with low < high, got {low} and {high}')
        if not (delay >= 0 and budget > 0.0 and np.all(np.asarray(rate) > 0.0)):
            raise ValueError(
                f'NEMPC: expected delay >= 0, budget > 0 and rate > 0, got {delay}, {budget} and {rate}'
            )
        self.settings = settings or NempcSettings()
        self.instants = delay + self.settings.horizon + 1
        self._transition, self._cost, self._actuator = transition, cost, actuator
        self._low, self._high = low, high
        self._rate, self._budget, self._clock = rate, budget, clock
        self._arrays = arrays or Arrays()
        self._rest = np.clip(np.zeros_like(low) if rest is None else rest, low, high)
        self._evolution = Evolution(self.settings, low, high, seed)
        self._zeros = self._arrays.put(np.zeros((self.settings.particles, 1)))
        self._delay, self._misses = delay, 0
        self.reset()

    def reset(self) -> None:
        """Forget candidates, plan and commands: the input is at rest."""
        self._ranked: np.ndarray | None = None
        self._age = 0
        self._plan = np.empty((0, self._low.size))
        self._command = self._rest
        self._pending = deque([self._rest] * self._delay, maxlen=self._delay)

    def step(self, start: Start, reference: np.ndarray, dt: float) -> tuple[np.ndarray, NempcStatus]:
        """The command (m,), and how it was found.

        reference (instants, g): goals of the cost now, dt (s) later, and so on over delay and horizon; dt
        between two steps. Raises ValueError for arrays of other shapes and a dt that is none.
        """
        self._check(start, reference, dt)
        began = self._clock()
        self._age += 1
        found = self._solve(start, reference, dt, began + self._budget)
        message = found.message
        if found.plan is not None:
            self._plan = found.plan
        else:
            self._plan = self._plan[1:]
            message += '; the plan of before goes on' if len(self._plan) else '; the input goes to rest'
        wanted = self._plan[0] if len(self._plan) else self._rest
        self._command = self._allowed(wanted, self._command, dt)
        self._pending.append(self._command)
        elapsed = self._clock() - began
        self._misses += elapsed > self._budget
        return self._command, NempcStatus(
            found.status,
            found.cost,
            found.error,
            elapsed,
            found.generations,
            self._misses,
            self._plan,
            message,
        )

    def warm_up(self, start: Start, reference: np.ndarray, dt: float, repeat: int = 5) -> float:
        """Seconds that one generation takes, the best of several; nothing of the controller changes.

        The first evaluations compile, load and allocate what the later ones use.
        """
        self._check(start, reference, dt)
        knots = Evolution(self.settings, self._low, self._high, 0).first(self._rest)
        seconds = []
        for _ in range(repeat):
            began = self._clock()
            self._evaluate(knots, start, reference[-self.settings.horizon :], dt, np.inf)
            seconds.append(self._clock() - began)
        return min(seconds)

    def _solve(self, start: Start, reference: np.ndarray, dt: float, deadline: float) -> _Search:
        given = np.concatenate([start.x, start.parameters, start.u, reference.ravel()])
        if not np.all(np.isfinite(given)):
            return _Search('failed', 'the state or the reference holds a number that is not finite')
        ahead, error = self._ahead(start, reference, dt)
        if not (np.isfinite(error) and np.all(np.isfinite(ahead.x))):
            return _Search('failed', 'the model has no value at the present state')
        goals = reference[-self.settings.horizon :]
        found = _Search('late', f'the budget of {1e3 * self._budget:g} ms was spent', error=error)
        for generation in range(1, self.settings.generations + 1):
            if self._ranked is None:
                knots = self._evolution.first(self._command)
            else:
                knots = self._evolution.next(self._ranked, self._command, error, self._age)
            costs, trajectories = self._evaluate(knots, ahead, goals, dt, deadline)
            if costs is None:
                return found
            order = np.argsort(costs, kind='stable')
            best = order[0]
            if not np.isfinite(costs[best]):
                self._ranked = None
                message = 'the model or the cost has no value for any candidate'
                return _Search('failed', message, None, np.nan, error, generation)
            self._ranked, self._age = knots[order], 0
            message = f'the best of {len(knots)} candidates in generation {generation}'
            found = _Search('ok', message, trajectories[:, best], float(costs[best]), error, generation)
        return found

    def _ahead(self, start: Start, reference: np.ndarray, dt: float) -> tuple[Start, float]:
        """Where the commands of before lead until the next one acts, and the root of the cost there."""
        put, get = self._arrays.put, self._arrays.get
        with self._arrays.inference(), np.errstate(all='ignore'):
            x, parameters, applied = (put(a[None]) for a in (start.x, start.parameters, start.u))
            for u in self._pending:
                applied = self._actuator(applied, put(u[None]), dt)
                x = self._transition(x, applied, parameters, dt)
            goal = put(reference[len(self._pending)])
            command = put(self._command[None])
            cost = get(self._cost(Stage(x, command, 0.0 * command, parameters, goal, dt)))[0]
        return Start(get(x)[0], start.parameters, get(applied)[0]), float(np.sqrt(max(cost, 0.0)))

    def _evaluate(
        self, knots: np.ndarray, start: Start, goals: np.ndarray, dt: float, deadline: float
    ) -> tuple[np.ndarray | None, np.ndarray]:
        """Costs (N,) of the candidates, NaN as infinite, or None after the deadline; and their inputs."""
        trajectories = self._evolution.trajectories(knots)
        previous = self._command
        for k, wanted in enumerate(trajectories):
            previous = trajectories[k] = self._allowed(wanted, previous, dt)
        put, zeros = self._arrays.put, self._zeros
        with self._arrays.inference(), np.errstate(all='ignore'):
            x, parameters, applied = (zeros + put(a) for a in (start.x, start.parameters, start.u))
            inputs, goals = put(trajectories), put(goals)
            previous, total = zeros + put(self._command), zeros[:, 0]
            for u, goal in zip(inputs, goals, strict=True):
                applied = self._actuator(applied, u, dt)
                x = self._transition(x, applied, parameters, dt)
                total = total + self._cost(Stage(x, u, u - previous, parameters, goal, dt))
                previous = u
                if self._clock() > deadline:
                    return None, trajectories
            costs = self._arrays.get(total)
        return np.where(np.isfinite(costs), costs, np.inf), trajectories

    def _allowed(self, wanted: np.ndarray, previous: np.ndarray, dt: float) -> np.ndarray:
        """Inputs (..., m) within the limits, and within the rate from those of before."""
        change = np.asarray(self._rate) * dt
        return np.clip(np.clip(wanted, previous - change, previous + change), self._low, self._high)

    def _check(self, start: Start, reference: np.ndarray, dt: float) -> None:
        if np.ndim(reference) != 2 or len(reference) != self.instants or start.u.shape != self._low.shape:
            raise ValueError(
                f'NEMPC: expected a reference ({self.instants}, g) and actuators {self._low.shape}, '
                f'got {np.shape(reference)} and {start.u.shape}'
            )
        if not 0.0 < dt < np.inf:
            raise ValueError(f'NEMPC: expected a time step dt > 0 s, got {dt}')
