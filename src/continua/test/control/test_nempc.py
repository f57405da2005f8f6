"""NEMPC: optima, limits, rates, delay, actuators, seeds, and that no trouble leads out of the limits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from continua.arrays import Arrays
from continua.control.costs import InputRateCost, Obstacle, RatePenalty, Stage, StateCost, Sum, TaskCost
from continua.control.nempc import Nempc, NempcSettings, Start, first_order_lag

DT = 0.1
A = np.array([[1.0, DT, 0.0], [-0.4, 0.9, 0.1], [0.0, -0.2, 0.8]])
B = np.array([[0.0, 0.0], [0.3, 0.0], [0.1, 0.4]])
Q, R = np.array([1.0, 0.2, 0.5]), np.array([0.05, 0.1])
LOW, HIGH = np.array([-1.0, -0.5]), np.array([1.0, 2.0])
NONE = np.zeros(0)


def linear(x, u, parameters, dt):
    return x @ A.T + u @ B.T


def controller(transition=linear, cost=None, settings=None, **changes):
    cost = cost or Sum(StateCost(Q), InputRateCost(R))
    arguments = {'delay': 0, **changes}
    return Nempc(transition, cost, LOW, HIGH, settings or NempcSettings(particles=200), **arguments)


def still(nempc, goal):
    return np.tile(goal, (nempc.instants, 1)).astype(float)


def hold(x, u=(0.0, 0.0), parameters=()):
    return Start(*(np.array(a, dtype=float) for a in (x, parameters, u)))


def cost_of(knots, x, goal, horizon):
    """Eq 39 of the linear system, written as a loop."""
    times = np.linspace(0.0, horizon - 1, len(knots))
    total, before = 0.0, np.zeros(2)
    for k in range(horizon):
        u = np.array([np.interp(k, times, knots[:, i]) for i in range(2)])
        x = A @ x + B @ u
        total += Q @ (x - goal) ** 2 + R @ (u - before) ** 2
        before = u
    return total


@pytest.mark.parametrize(('segments', 'horizon'), [(1, 8), (2, 9)])
def test_it_finds_the_optimum_of_a_linear_quadratic_problem(segments, horizon):
    goal, x = np.array([0.5, 0.0, 1.5]), np.array([-0.3, 0.2, 0.0])
    problem = NempcSettings(particles=400, horizon=horizon, segments=segments, generations=150, mutation=0.5)
    nempc = controller(settings=problem)
    _, status = nempc.step(hold(x), still(nempc, goal), DT)

    shape = (segments + 1, 2)
    optimum = minimize(
        lambda knots: cost_of(knots.reshape(shape), x, goal, horizon),
        np.zeros(shape).ravel(),
        bounds=np.tile(np.stack([LOW, HIGH], axis=1), (segments + 1, 1)),
        options={'ftol': 1e-14, 'gtol': 1e-10},
    )
    assert optimum.success
    assert status.status == 'ok'
    assert optimum.fun - 1e-9 <= status.cost <= 1.001 * optimum.fun


def test_the_cost_that_it_tells_is_that_of_its_plan():
    goal, x = np.array([0.5, 0.0, 1.5]), np.array([-0.3, 0.2, 0.0])
    nempc = controller()
    command, status = nempc.step(hold(x), still(nempc, goal), DT)
    total, before, now = 0.0, np.zeros(2), x
    for u in status.plan:
        now = A @ now + B @ u
        total += Q @ (now - goal) ** 2 + R @ (u - before) ** 2
        before = u
    assert status.cost == pytest.approx(total, rel=1e-12)
    assert status.error == pytest.approx(np.sqrt(Q @ (x - goal) ** 2), rel=1e-12)
    np.testing.assert_array_equal(command, status.plan[0])


def run(nempc, goal, steps, x=(0.0, 0.0, 0.0)):
    """Commands (steps, 2) and states (steps, 3) of the closed loop."""
    x, commands, states, u = np.array(x), [], [], np.zeros(2)
    for _ in range(steps):
        u, status = nempc.step(hold(x, u), still(nempc, goal), DT)
        assert status.status == 'ok'
        x = A @ x + B @ u
        commands.append(u)
        states.append(x)
    return np.array(commands), np.array(states)


def test_the_closed_loop_reaches_a_goal_that_an_input_can_hold():
    u = np.array([0.4, 0.6])
    goal = np.linalg.solve(np.eye(3) - A, B @ u)
    _, states = run(controller(seed=1), goal, 120)
    assert np.linalg.norm(states[-1] - goal) < 0.02 * np.linalg.norm(goal)


@settings(max_examples=20)
@given(
    goal=st.tuples(*[st.floats(-100.0, 100.0)] * 3),
    rate=st.sampled_from([np.inf, 0.5, 20.0]),
    seed=st.integers(0, 99),
    fixed=st.booleans(),
)
def test_limits_and_rates_are_kept(goal, rate, seed, fixed):
    few = NempcSettings(particles=60, horizon=5, first_knot_fixed=fixed)
    nempc = controller(settings=few, rate=rate, seed=seed)
    before = np.zeros(2)
    x = np.zeros(3)
    for _ in range(15):
        u, status = nempc.step(hold(x, before), still(nempc, np.array(goal)), DT)
        x = A @ x + B @ u
        plan = np.vstack([before, status.plan])
        assert np.all((plan >= LOW) & (plan <= HIGH))
        # The sum of before and its change is rounded once.
        assert np.all(np.abs(np.diff(plan, axis=0)) <= rate * DT + 4e-16)
        before = u


def test_the_same_seed_gives_the_same_commands():
    goal = np.array([0.5, 0.0, 1.5])
    first, second, third = (run(controller(seed=seed), goal, 10)[0] for seed in (3, 3, 4))
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, third)


@pytest.mark.parametrize('delay', [0, 1, 3])
def test_a_delay_is_compensated_exactly(delay):
    """The plan begins at the state to which the commands on the way lead, with actuators that lag."""
    lag = first_order_lag(0.09, gain=1.005)
    seen = []

    def cost(stage):
        seen.append(stage)
        return ((stage.x - stage.goal) ** 2 * Q).sum(-1)

    nempc = controller(cost=cost, delay=delay, actuator=lag)
    goals = np.cumsum(np.ones((nempc.instants, 3)), axis=0)
    x, applied, way = np.array([0.2, -0.1, 0.4]), np.zeros(2), [np.zeros(2)] * delay
    for _ in range(8):
        seen.clear()
        ahead_x, ahead_u = x, applied
        for u in way:
            ahead_u = lag(ahead_u, u, DT)
            ahead_x = A @ ahead_x + B @ ahead_u
        command, _ = nempc.step(hold(x, applied), goals, DT)
        np.testing.assert_allclose(seen[0].x[0], ahead_x, rtol=0.0, atol=1e-15)
        assert [stage.goal[0] for stage in seen] == list(range(delay + 1, nempc.instants + 1))
        # What the plant does meanwhile: the oldest command acts.
        way.append(command)
        applied = lag(applied, way.pop(0), DT)
        x = A @ x + B @ applied


def test_the_lag_is_that_of_the_continuous_transfer_function():
    """Eq 32, 11 / (s + 10.94), in a thousand small steps."""
    lag, fine, p = first_order_lag(1.0 / 10.94, 11.0 / 10.94), 1000.0, 0.2
    for _ in range(1000):
        middle = p + 0.5 * DT / fine * (11.0 * 0.7 - 10.94 * p)
        p += DT / fine * (11.0 * 0.7 - 10.94 * middle)
    assert lag(0.2, 0.7, DT) == pytest.approx(p, rel=1e-6)


@settings(max_examples=30)
@given(
    bad=st.lists(st.sampled_from(['', 'some', 'all', 'start', 'reference', 'inf']), min_size=3, max_size=12)
)
def test_no_trouble_leads_out_of_the_limits(bad):
    """Models without a value, for some candidates or all, and inputs that are no numbers."""
    now = ''

    def model(x, u, parameters, dt):
        out = linear(x, u, parameters, dt)
        if now == 'all' or (now == 'some' and len(out) > 1):
            out[:: 1 if now == 'all' else 3] = np.nan
        return np.full_like(out, np.inf) if now == 'inf' else out

    nempc = controller(model, settings=NempcSettings(particles=30, horizon=4), rate=3.0)
    before, planned = np.zeros(2), np.empty((0, 2))
    for now in bad:
        start, goal = hold([0.1, 0.0, 0.0], before), still(nempc, np.ones(3))
        if now == 'start':
            start.x[1] = np.nan
        if now == 'reference':
            goal[-1, 0] = np.inf
        command, status = nempc.step(start, goal, DT)
        assert np.all((command >= LOW) & (command <= HIGH))
        assert np.all(np.abs(command - before) <= 3.0 * DT + 1e-15)
        assert status.message
        assert (status.status == 'ok') == (now in ('', 'some'))
        if status.status != 'ok':
            # The plan of before, one step later, and then rest.
            planned = planned[1:]
            wanted = planned[0] if len(planned) else np.zeros(2)
            np.testing.assert_allclose(command, np.clip(wanted, before - 0.3, before + 0.3), atol=1e-15)
        planned, before = status.plan, command


class Clock:
    """A clock that each model call advances."""

    def __init__(self):
        self.now, self.per_call = 0.0, 0.0

    def __call__(self):
        return self.now


def test_without_time_the_plan_of_before_goes_on():
    clock = Clock()

    def model(x, u, parameters, dt):
        clock.now += clock.per_call
        return linear(x, u, parameters, dt)

    nempc = controller(model, budget=0.010, clock=clock)
    goal = still(nempc, np.array([0.5, 0.0, 1.5]))
    clock.per_call = 0.001
    _, good = nempc.step(hold(np.zeros(3)), goal, DT)
    assert (good.status, good.misses) == ('ok', 0)
    clock.per_call = 0.004
    for k in range(1, 8):
        command, status = nempc.step(hold(np.zeros(3)), goal, DT)
        assert (status.status, status.misses) == ('late', k)
        # It gives up within one call of the model after the budget.
        assert status.solve_time <= 0.010 + 0.004
        np.testing.assert_array_equal(command, good.plan[k])
    command, status = nempc.step(hold(np.zeros(3)), goal, DT)
    np.testing.assert_array_equal(command, np.zeros(2))
    clock.per_call = 0.001
    _, status = nempc.step(hold(np.zeros(3)), goal, DT)
    assert (status.status, status.misses) == ('ok', 8)


def test_what_is_found_within_the_budget_is_used():
    clock = Clock()

    def model(x, u, parameters, dt):
        clock.now += 0.001
        return linear(x, u, parameters, dt)

    many = NempcSettings(particles=50, generations=100)
    nempc = controller(model, settings=many, budget=0.030, clock=clock)
    _, status = nempc.step(hold(np.zeros(3)), still(nempc, np.ones(3)), DT)
    assert (status.status, status.generations) == ('ok', 3)


def test_warming_up_changes_nothing():
    goal = np.array([0.5, 0.0, 1.5])
    cold, warm = controller(), controller()
    assert warm.warm_up(hold(np.zeros(3)), still(warm, goal), DT) > 0.0
    np.testing.assert_array_equal(run(cold, goal, 5)[0], run(warm, goal, 5)[0])


def test_after_a_reset_it_begins_at_rest():
    goal = np.array([0.5, 0.0, 1.5])
    nempc = controller(rest=np.array([0.2, 0.2]), rate=1.0)
    run(nempc, goal, 10)
    nempc.reset()
    command, _ = nempc.step(hold(np.zeros(3)), still(nempc, goal), DT)
    assert np.all(np.abs(command - 0.2) <= 0.1 + 1e-15)


def test_costs_are_those_of_their_words():
    rng = np.random.default_rng(0)
    x, u, du = rng.normal(size=(5, 4)), rng.normal(size=(5, 2)), rng.normal(size=(5, 2))
    stage = Stage(x, u, du, np.zeros((5, 0)), np.array([1.0, 2.0]), 0.1)

    def tip(x, parameters):
        return x[:, :2]

    for k in range(5):
        task = 3.0 * (x[k, 0] - 1.0) ** 2 + 4.0 * (x[k, 1] - 2.0) ** 2
        rate = sum(max(abs(d) / 0.1 / r - 1.0, 0.0) ** 2 for d, r in zip(du[k], (5.0, 10.0), strict=True))
        depth = max(0.5 - np.linalg.norm(np.append(x[k, :2], 0.0)), 0.0)
        assert TaskCost(tip, np.array([3.0, 4.0]))(stage)[k] == pytest.approx(task)
        assert RatePenalty(np.array([5.0, 10.0]), 7.0)(stage)[k] == pytest.approx(7.0 * rate)

        def points(x, parameters):
            flat = np.concatenate([x[:, :2], np.zeros((len(x), 1))], axis=1)
            return np.stack([flat, flat + 100.0], axis=1)

        assert Obstacle(points, np.zeros(3), 0.5, 9.0)(stage)[k] == pytest.approx(9.0 * depth**2)


def test_an_obstacle_is_gone_round():
    """A point that flies from 0 to 2 on a line, with a ball in the middle of the way."""

    def drift(x, u, parameters, dt):
        return x + dt * u

    def point(x, parameters):
        return np.concatenate([x, np.zeros((len(x), 1))], axis=1)[:, None]

    ball = Obstacle(point, np.array([1.0, 0.05, 0.0]), 0.4, 1e4)
    nempc = Nempc(
        drift, Sum(StateCost(np.ones(2)), ball), -np.ones(2), np.ones(2),
        NempcSettings(particles=300, horizon=8, segments=2), delay=0,
    )  # fmt: skip
    x, closest = np.zeros(2), np.inf
    for _ in range(80):
        u, _ = nempc.step(Start(x, NONE, np.zeros(2)), still(nempc, np.array([2.0, 0.0])), DT)
        x = x + DT * u
        closest = min(closest, np.linalg.norm(x - [1.0, 0.05]))
    assert closest > 0.38
    assert np.linalg.norm(x - [2.0, 0.0]) < 0.05


def test_parameters_reach_the_model():
    """The same goal with half the gain asks for twice the input."""

    def scaled(x, u, parameters, dt):
        return x + dt * parameters * u

    commands = []
    for gain in (1.0, 2.0):
        nempc = Nempc(
            scaled, Sum(StateCost(np.ones(1)), InputRateCost(np.array([1e-3]))), [-10.0], [10.0],
            NempcSettings(particles=200, generations=40), delay=0,
        )  # fmt: skip
        start = hold([0.0], [0.0], [gain])
        commands.append(nempc.step(start, still(nempc, np.array([0.3])), DT)[0][0])
    assert commands[0] == pytest.approx(2.0 * commands[1], rel=0.1)


def test_torch_finds_what_numpy_finds():
    torch = pytest.importorskip('torch')
    there = Arrays('cpu', 'float64')
    a, b = there.put(A), there.put(B)
    assert a.dtype == torch.float64
    goal = np.array([0.5, 0.0, 1.5])
    lag = first_order_lag(0.09)
    on_torch = controller(
        lambda x, u, p, dt: x @ a.T + u @ b.T,
        Sum(StateCost(Q, there), InputRateCost(R, there), RatePenalty(np.ones(2), 0.1, there)),
        arrays=there, actuator=lag, delay=1,
    )  # fmt: skip
    on_numpy = controller(
        cost=Sum(StateCost(Q), InputRateCost(R), RatePenalty(np.ones(2), 0.1)), actuator=lag, delay=1
    )
    np.testing.assert_allclose(run(on_torch, goal, 20)[0], run(on_numpy, goal, 20)[0], atol=1e-12)


def test_torch_is_asked_for_with_the_command_that_installs_it(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, 'torch', None)
    with pytest.raises(ValueError, match='requirements/learning.txt'):
        Arrays('cpu')
    with pytest.raises(ValueError, match='numpy, cpu, cuda'):
        Arrays('gpu')


@pytest.mark.parametrize(
    'changes',
    [
        {'segments': 8},
        {'segments': 0},
        {'particles': 3},
        {'parents': 0.0},
        {'parents': 0.95},
        {'mutation': 1.1},
    ],
)
def test_settings_that_do_not_fit_are_refused(changes):
    with pytest.raises(ValueError, match='NEMPC: expected'):
        NempcSettings(**changes)


def test_wrong_calls_are_refused():
    nempc = controller()
    for start, reference, dt in (
        (hold(np.zeros(3)), np.zeros((3, 3)), DT),
        (hold(np.zeros(3), np.zeros(3)), still(nempc, np.zeros(3)), DT),
        (hold(np.zeros(3)), still(nempc, np.zeros(3)), 0.0),
    ):
        with pytest.raises(ValueError, match='NEMPC: expected'):
            nempc.step(start, reference, dt)
    with pytest.raises(ValueError, match='low < high'):
        Nempc(linear, StateCost(Q), HIGH, LOW)
    with pytest.raises(ValueError, match='delay'):
        controller(delay=-1)
