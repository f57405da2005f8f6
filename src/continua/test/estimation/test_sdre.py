"""The observer from tendon readings on the arm of its paper: convergence, gain, variance, bad readings."""

import json
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.linalg import solve_continuous_are

from continua.description import PolynomialBasis, StrainOrders, load_robot, parse_robot
from continua.estimation import SdreObserver
from continua.estimation.sdre_observability import observability
from continua.rod import Integrator, Rod

ROBOTS = Path(__file__).parents[4] / 'config' / 'robots'
ARM = load_robot(ROBOTS / 'sdre_arm.yaml')
TIP = np.array([0.25])
RATE = 100.0


def arm(tendons, **orders):
    """The paper's arm with the first so many tendons and strains of these orders."""
    order = StrainOrders(**dict.fromkeys(StrainOrders.model_fields) | orders)
    link = ARM.links[0].model_copy(update={'strain_basis': PolynomialBasis(type='legendre', order=order)})
    return Rod(ARM.model_copy(update={'links': (link,), 'tendons': ARM.tendons[:tendons]}))


@pytest.fixture(scope='module')
def one():
    return arm(1, bending_y=2, elongation=0)


@pytest.fixture(scope='module')
def three():
    return arm(3, bending_y=2, bending_z=2, elongation=0)


def pull(rod, t):
    """Tensions (K,) N between 0 and 7 at 5 rad/s, one after the other."""
    return 3.5 * (1.0 - np.cos(5.0 * t + 2.0 * np.pi * np.arange(rod.n_tendons) / 3.0))


def motion(rod, duration, rate=RATE):
    """Coordinates (s, n) of the arm that is pulled, from rest."""
    run, q = Integrator(rod), []
    run.reset(np.zeros(rod.dof))
    for k in range(round(duration * rate)):
        assert run.step(1.0 / rate, pull(rod, (k + 0.5) / rate))
        q.append(run.q)
    return np.array(q)


def observe(observer, belief, q, rate=RATE, damage=lambda k, y: y):
    """Beliefs and infos of the readings of q (s, n), which `damage` may change."""
    out = []
    for k, each in enumerate(q):
        reading = damage(k, observer.rod.tendon_displacement(each))
        belief, info = observer.step(belief, reading, pull(observer.rod, (k + 0.5) / rate), 1.0 / rate)
        out.append((belief, info))
    return out


def tip_error(rod, steps, q):
    """Distances (s,) m of the tips."""
    estimated = [rod.shape(belief.q, TIP).position[0] for belief, _ in steps]
    return np.linalg.norm(estimated - np.array([rod.shape(each, TIP).position[0] for each in q]), axis=1)


def is_definite(P):
    return np.array_equal(P, P.T) and np.all(np.isfinite(P)) and np.linalg.eigvalsh(P)[0] > 0.0


@pytest.mark.parametrize('differential', [False, True])
@pytest.mark.parametrize(('robot', 'R'), [('one', 0.1), ('one', 1e-6), ('three', 0.1), ('three', 1e-6)])
def test_a_wrong_guess_converges(robot, R, differential, request):
    rod = request.getfixturevalue(robot)
    q = motion(rod, 2.0)
    observer = SdreObserver(rod, R=R, differential=differential)
    guess = observer.begin(0.3 * rod.scale)
    far = tip_error(rod, [(guess, None)], q[:1])[0]
    steps = observe(observer, guess, q)
    assert far > 0.04
    assert tip_error(rod, steps, q)[-10:].max() < 0.02 * far
    assert all(info.status == 'corrected' for _, info in steps)


def test_readings_of_more_weight_make_it_faster(one):
    q, mean = motion(one, 1.0), []
    for R in (0.1, 1e-6):
        observer = SdreObserver(one, R=R)
        mean.append(tip_error(one, observe(observer, observer.begin(0.3 * one.scale), q), q)[50:].mean())
    assert mean[1] < 0.7 * mean[0]


@pytest.mark.parametrize('alpha', [0.0, 1.0, 3.0])
def test_the_variance_solves_the_riccati_equation(three, alpha):
    observer = SdreObserver(three, alpha=alpha, R=1e-3)
    steps = observe(observer, observer.begin(), motion(three, 0.5))
    assert sum(info.iterations > 0 for _, info in steps) > 0.9 * len(steps)
    for belief, _ in steps[::7]:
        A, C, _ = observer.coefficients(belief.q, belief.qd)
        A = A + alpha * np.eye(len(A))
        direct = solve_continuous_are(A.T, C.T, 10.0 * np.eye(len(A)), 1e-3 * np.eye(3))
        assert np.linalg.norm(belief.P @ C.T - direct @ C.T) < 1e-3 * np.linalg.norm(direct @ C.T)


def test_small_steps_follow_the_equation_of_the_observer(one):
    """Eq 16 by the explicit midpoint rule, with direct solutions of eq 18."""
    rate, n, R = 4000.0, one.dof, 1e-3
    q, observer = motion(one, 0.1, rate), SdreObserver(one, R=R)
    belief = observer.begin(0.1 * one.scale)
    x = np.concatenate([belief.q, belief.qd])
    stepped = observe(observer, belief, q, rate)[-1][0]
    for k, each in enumerate(q):
        y, u = one.tendon_displacement(each), pull(one, (k + 0.5) / rate)
        A, C, _ = observer.coefficients(x[:n], x[n:])
        P = solve_continuous_are((A + np.eye(2 * n)).T, C.T, 10.0 * np.eye(2 * n), R * np.eye(1))

        def rates(x, y=y, u=u, K=P @ C.T / R):
            free = np.concatenate([x[n:], one.acceleration(x[:n], x[n:], u=u)])
            return free + K @ (y - one.tendon_displacement(x[:n]))

        x = x + rates(x + 0.5 / rate * rates(x)) / rate
    distance = np.abs(stepped.q - x[:n]).max()
    assert distance < 0.05 * np.abs(belief.q - q[0]).max() < 0.5 * np.abs(x[:n] - q[-1]).max()


def test_without_readings_the_model_runs_on_and_the_variance_grows(one):
    q, observer = motion(one, 1.0), SdreObserver(one, R=1e-6)
    gap = range(30, 60)
    steps = observe(observer, observer.begin(), q, damage=lambda k, y: None if k in gap else y)
    assert [info.status for _, info in steps[29:31]] == ['corrected', 'predicted']
    assert all(info.missing == 1 and info.iterations > 0 for _, info in steps[30:60])
    size = [np.trace(belief.P) for belief, _ in steps]
    assert size[29] < size[31] < size[45] < size[59] and size[61] < size[59]
    assert tip_error(one, steps, q).max() < 1e-3


def test_the_differential_form_approaches_the_algebraic_one(three):
    q = np.tile(motion(three, 0.3)[-1], (300, 1))
    rest = [np.zeros(three.n_tendons)] * len(q)
    for R in (0.1, 1e-4):
        algebraic, differential = SdreObserver(three, R=R), SdreObserver(three, R=R, differential=True)
        belief, slow = algebraic.begin(), differential.begin(0.1 * three.scale)
        for u in rest:
            belief, _ = algebraic.step(belief, np.zeros(3), u, 0.02, gravity=False)
            slow, _ = differential.step(slow, np.zeros(3), u, 0.02, gravity=False)
        assert np.linalg.norm(slow.P - belief.P) < 1e-2 * np.linalg.norm(belief.P)


def test_extreme_readings_are_rejected_and_counted(three):
    q, observer = motion(three, 0.6), SdreObserver(three)

    def damage(k, y):
        return np.array([y[0], 1e30, -np.inf]) if k % 5 == 4 else y

    steps = observe(observer, observer.begin(), q, damage=damage)
    for k, (_, info) in enumerate(steps):
        assert info.rejected == (2 if k % 5 == 4 else 0)
        assert info.used.tolist() == ([True, False, False] if k % 5 == 4 else [True] * 3)
        assert ('2 of 3 readings' in info.message) == (k % 5 == 4)
    assert tip_error(three, steps, q).max() < 1e-3


readings = st.lists(
    st.one_of(
        st.just('true'),
        st.just('missing'),
        st.just('repeated'),
        st.lists(
            st.one_of(st.floats(allow_nan=True, allow_infinity=True), st.floats(-0.2, 0.2)),
            min_size=3,
            max_size=3,
        ),
    ),
    min_size=20,
    max_size=60,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kinds=readings, R=st.sampled_from([0.1, 1e-4, 1e-8]), differential=st.booleans())
def test_the_variance_stays_definite_and_the_state_finite_through_any_readings(three, kinds, R, differential):
    observer = SdreObserver(three, R=R, differential=differential)
    belief, last = observer.begin(), np.zeros(3)
    unit = np.concatenate([three.scale, three.scale * 2.0 * np.pi / three.period])
    for k, kind in enumerate(kinds):
        true = three.tendon_displacement(belief.q * 0.9)
        reading = (
            {'true': true, 'missing': None, 'repeated': last}.get(kind) if isinstance(kind, str) else kind
        )
        belief, info = observer.step(belief, reading, pull(three, k / RATE), 1.0 / RATE)
        last = true
        assert is_definite(belief.P)
        assert np.all(np.isfinite(belief.q)) and np.all(np.isfinite(belief.qd))
        assert info.used.sum() + info.missing + info.rejected == 3
        assert np.trace(belief.P / np.outer(unit, unit)) <= observer._bound


def test_one_tendon_does_not_see_the_plane_across_it():
    rod = arm(1, bending_y=1, bending_z=1)
    observer = SdreObserver(rod, alpha=5.0)
    belief = observer.begin()
    found = observer.observability(belief.q, belief.qd)
    assert not found.observable
    assert 'the tendons do not see' in found.message and 'alpha' in found.message
    for _ in range(100):
        belief, info = observer.step(belief, rod.tendon_displacement(belief.q), [2.0], 0.01)
        assert is_definite(belief.P) and info.status == 'corrected'
    assert 'without it' in info.message


def test_a_tendon_that_does_not_move_sees_nothing(one):
    """What rounding leaves of its displacement is no reading."""
    A, C, _ = SdreObserver(one).coefficients(np.zeros(one.dof), np.zeros(one.dof))
    assert observability(A, C, 1.0).observable
    assert not observability(A, 1e-16 * C / np.abs(C).max(), 1.0).observable


def test_the_arm_sees_all_its_modes(one, three):
    for rod in (one, three):
        observer = SdreObserver(rod)
        for q in (np.zeros(rod.dof), 0.2 * rod.scale):
            found = observer.observability(q, np.zeros(rod.dof))
            assert found.observable and found.message.startswith('observable')
            assert found.eigenvalue.shape == found.margin.shape == (2 * rod.dof,)


def test_external_forces_are_inputs(one):
    load = np.zeros((one.arc_length.size, 6))
    load[-1, 5] = -0.05
    rest = one.statics([0.0], load=load).q
    observer = SdreObserver(one)
    for acting, close in (({'load': load}, True), ({}, False)):
        belief = observer.begin(rest)
        for _ in range(100):
            belief, _ = observer.step(belief, one.tendon_displacement(rest), [0.0], 0.01, **acting)
        apart = np.linalg.norm(one.shape(belief.q, TIP).position - one.shape(rest, TIP).position)
        assert (apart < 1e-4) == close


def test_friction_of_disks_acts_on_the_motion_only():
    robot = load_robot(ROBOTS / 'sdre_prototype.yaml')
    rod, observer = Rod(robot), SdreObserver(Rod(robot))
    q = 0.2 * rod.scale
    _, C, displacement = observer.coefficients(q, np.zeros(rod.dof))
    assert np.allclose(C[:, : rod.dof], rod.tendon_displacement_jacobian(q))
    assert np.allclose(displacement, rod.tendon_displacement(q))
    assert not np.allclose(rod.actuation_matrix(q)[:, 0], C[0, : rod.dof], rtol=5e-3, atol=0.0)
    settled = rod.statics([5.0]).q
    belief = observer.begin()
    for _ in range(300):
        belief, _ = observer.step(belief, rod.tendon_displacement(settled), [5.0], 0.01)
    assert np.allclose(belief.q, settled, atol=1e-3 * rod.scale.max())


def test_modes_are_coordinates_like_others(three):
    reduced = Rod(
        three.robot, modes=np.eye(three.dof)[:, [0, 1, 3, 6]] @ np.random.default_rng(0).normal(size=(4, 4))
    )
    q, observer = motion(reduced, 2.0), SdreObserver(reduced, R=1e-5)
    guess = observer.begin(0.2 * reduced.scale)
    error = tip_error(reduced, [(guess, None), *observe(observer, guess, q)], np.vstack([q[:1], q]))
    assert error[0] > 0.01 and error[-1] < 0.05 * error[0]


@pytest.mark.parametrize(
    ('settings', 'what'),
    [({'Q': -1.0}, 'Q'), ({'Q': np.ones(3)}, 'Q'), ({'R': 0.0}, 'R'), ({'alpha': -1.0}, 'alpha')],
)
def test_settings_that_do_not_fit_are_refused(one, settings, what):
    with pytest.raises(ValueError, match=f'^{what}: expected'):
        SdreObserver(one, **settings)


def chain():
    """The half-size platform, a closed chain of three legs, with a tendon on each edge of each leg."""
    data = yaml.safe_load((ROBOTS / 'soft_legged_platform_half.yaml').read_text())
    data['tendons'] = []
    for link in data['links']:
        if link['type'] == 'soft':
            link['material']['youngs_modulus'] = 0.69e6
            order = {'torsion': 0, 'bending_y': 1, 'bending_z': 1, 'elongation': 0}
            link['strain_basis'] = {'type': 'legendre', 'order': order}
            for side in (0, 1):
                path = {'type': 'linear', 'start': [0.01 * side - 0.005, 0.003]}
                tendon = {'name': f'{link["name"]}_{side}', 'link': link['name'], 'range': [0.0, 0.15]}
                data['tendons'].append(tendon | {'path': path, 'limits': {'tension': [0.0, 5.0]}})
    return Rod(parse_robot(json.dumps(data)))


def test_a_closed_chain_converges_and_stays_closed():
    rod = chain()
    observer, q = SdreObserver(rod, R=1e-6), motion(rod, 2.0)
    guess = observer.begin(rod.statics([5.0, 0.0, 0.0, 0.0, 0.0, 5.0]).q)
    assert observer.observability(guess.q, guess.qd).observable
    steps = observe(observer, guess, q)
    error = [np.abs((belief.q - each) / rod.scale).max() for (belief, _), each in zip(steps, q, strict=True)]
    assert np.abs((guess.q - q[0]) / rod.scale).max() > 0.03
    assert max(error[-10:]) < 1e-3
    for belief, info in steps:
        assert info.status == 'corrected'
        assert np.abs(rod.constraint_error(belief.q)).max() < 1e-9
        assert (
            np.abs(rod.constraint_matrix(belief.q) @ belief.qd).max()
            < 1e-9 * np.abs(belief.qd / rod.scale).max()
        )
        # what the loops forbid has no variance
        A = rod.constraint_matrix(belief.q) * rod.scale
        P = belief.P[: rod.dof, : rod.dof] / np.outer(rod.scale, rod.scale)
        values = np.linalg.eigvalsh(P)
        assert np.sum(values > 1e-9 * values[-1]) == rod.dof - np.linalg.matrix_rank(A, 1e-9)


def test_position_drives_leave_the_other_motions():
    """The arm on a driven hinge that turns while it swings."""
    data = yaml.safe_load((ROBOTS / 'sdre_arm.yaml').read_text())
    data['links'][0]['joint'] = {'type': 'revolute', 'axis': [0.0, 1.0, 0.0]}
    limits = {'position': [-1.0, 1.0]}
    data['drives'] = [{'name': 'hinge', 'joint': 'arm', 'type': 'position', 'limits': limits}]
    rod = Rod(parse_robot(yaml.safe_dump(data)))
    observer, run = SdreObserver(rod, R=1e-6), Integrator(rod)
    run.reset(np.zeros(rod.dof))
    guess = rod.statics([3.0, 0.0, 0.0], gravity=False).q
    belief = observer.begin(guess)
    for k in range(200):
        # targets are of the middle of a step
        drive = {'target': [0.3 * np.sin(0.01 * k + 0.005)], 'target_rate': [0.3 * np.cos(0.01 * k + 0.005)]}
        u = pull(rod, 0.01 * k)
        assert run.step(0.01, u, **drive)
        belief, info = observer.step(belief, rod.tendon_displacement(run.q), u, 0.01, **drive)
        assert info.status == 'corrected'
        assert abs(belief.q[0] - run.q[0]) < 1e-9
    assert np.abs(guess / rod.scale).max() > 0.3
    assert np.abs((belief.q - run.q) / rod.scale).max() < 5e-3


def test_a_robot_without_tendons_is_refused():
    platform = Rod(load_robot(ROBOTS / 'soft_legged_platform_half.yaml'))
    with pytest.raises(ValueError, match='expected tendons to read, got none'):
        SdreObserver(platform)


def test_tabulated_springs_are_part_of_the_coefficients():
    """The hyper-redundant arm: its tabulated springs are all that holds its torsion."""
    rod = Rod(load_robot(ROBOTS / 'hyper_redundant_arm.yaml'))
    q = 0.1 * np.random.default_rng(0).normal(size=rod.dof)
    acting = {'gravity': False}
    found = rod.tangent_stiffness(q)
    for k in (0, 35, 71):
        step = 1e-6 * np.eye(rod.dof)[k]
        ends = [rod.residual(q + sign * step, **acting) for sign in (1.0, -1.0)]
        assert np.allclose(found[:, k], (ends[0] - ends[1]) / 2e-6, atol=1e-5 * np.abs(found).max())
    assert not rod.stiffness.any()
    observer = SdreObserver(rod)
    belief, info = observer.step(observer.begin(), np.zeros(6), np.zeros(6), 0.01)
    assert info.message == 'the Riccati equation is solved' and info.iterations > 0
    assert is_definite(belief.P)


def test_wrong_arguments_are_refused(one):
    observer = SdreObserver(one)
    belief = observer.begin()
    with pytest.raises(ValueError, match='measurement: expected'):
        observer.step(belief, np.zeros(2), [0.0], 0.01)
    with pytest.raises(ValueError, match='dt > 0'):
        observer.step(belief, np.zeros(1), [0.0], 0.0)
    with pytest.raises(ValueError, match='finite inputs'):
        observer.step(belief, np.zeros(1), [np.nan], 0.01)
