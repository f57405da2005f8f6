"""Closed chains: a four-bar linkage against its closed form, and the soft-legged platform."""

from pathlib import Path

import numpy as np
import pytest
from linkages import GRAVITY, bar, robot
from scipy.linalg import null_space

from continua.description import load_robot
from continua.rod import Integrator, Rod

CRANK, COUPLER, ROCKER, GROUND = 0.1, 0.3, 0.2, 0.25  # m
MASSES = (0.5, 0.4, 0.3)  # kg
PLATFORM = Path(__file__).parents[4] / 'config/robots/soft_legged_platform.yaml'


def four_bar(drive, **crank):
    """The bars as a chain whose tip is a loop joint on the ground; about y, angles of x towards -z."""
    loop = {'name': 'pivot', 'link': 'rocker', 'to_attach': {'position': [GROUND, 0.0, 0.0]}}
    limits = {'effort': [-10.0, 10.0]} if drive == 'force' else {'position': [-10.0, 10.0]}
    return Rod(
        robot(
            bar('crank', CRANK, MASSES[0], **crank),
            bar('coupler', COUPLER, MASSES[1], parent='crank'),
            bar('rocker', ROCKER, MASSES[2], parent='coupler'),
            loops=[loop | {'joint': {'type': 'revolute', 'axis': [0.0, 1.0, 0.0]}}],
            drives=[{'name': 'motor', 'joint': 'crank', 'type': drive, 'limits': limits}],
        )
    )


def joints(crank):
    """The three joint angles of one branch, for the crank's: Freudenstein's equation for the rocker."""
    k1, k2 = GROUND / CRANK, GROUND / ROCKER
    k3 = (CRANK**2 - COUPLER**2 + ROCKER**2 + GROUND**2) / (2.0 * CRANK * ROCKER)
    # k1 cos(rocker) - k2 cos(crank) + k3 = cos(crank - rocker), rocker from its pivot on the ground
    along, across, rest = k1 - np.cos(crank), -np.sin(crank), k2 * np.cos(crank) - k3
    rocker = np.arctan2(across, along) - np.arccos(rest / np.hypot(along, across))
    x = GROUND + ROCKER * np.cos(rocker) - CRANK * np.cos(crank)
    coupler = np.arctan2(ROCKER * np.sin(rocker) - CRANK * np.sin(crank), x)
    # the chain's last bar runs towards the ground
    return np.array([crank, coupler - crank, rocker + np.pi - coupler])


def energy_terms(crank, rate=1.0, step=1e-4):
    """Kinetic energy at a crank's rate and potential energy of the linkage, J, from the closed form."""

    def centres(angle):
        theta = np.cumsum(joints(angle))
        ends = np.cumsum(np.array([CRANK, COUPLER, ROCKER]) * np.exp(1j * theta))
        return ends - 0.5 * np.array([CRANK, COUPLER, ROCKER]) * np.exp(1j * theta), theta

    (after, turned), (before, start) = centres(crank + step), centres(crank - step)
    velocity, turn = rate * (after - before) / (2 * step), rate * (turned - start) / (2 * step)
    inertia = np.array(MASSES) * np.array([CRANK, COUPLER, ROCKER]) ** 2 / 12.0
    kinetic = 0.5 * (MASSES @ np.abs(velocity) ** 2 + inertia @ turn**2)
    # z points against the imaginary axis
    return kinetic, -GRAVITY * np.array(MASSES) @ centres(crank)[0].imag


def torque_that_holds(crank, step=1e-4):
    return (energy_terms(crank + step)[1] - energy_terms(crank - step)[1]) / (2 * step)


@pytest.mark.parametrize('crank', [-2.5, -1.0, 0.4, 1.5, 2.8])
def test_a_driven_four_bar_takes_the_angles_of_freudenstein(crank):
    rod, expected = four_bar('position'), joints(crank)
    result = rod.statics(q0=expected + [0.05, -0.1, 0.08], target=[crank])
    assert result.converged, result.message
    assert np.allclose(result.q, expected, rtol=0, atol=1e-7)
    assert np.abs(rod.constraint_error(result.q, target=[crank])).max() < 1e-7
    # what the motor bears is what virtual work says
    assert result.reaction[-1] == pytest.approx(torque_that_holds(crank), rel=1e-5)


@pytest.mark.parametrize('crank', [-1.0, 0.4, 1.5])
def test_a_four_bar_under_a_torque_is_where_virtual_work_is_nothing(crank):
    stiffness = 5.0
    rod, torque = four_bar('force', stiffness=stiffness), torque_that_holds(crank) + stiffness * crank
    result = rod.statics([torque], q0=joints(crank) + [0.03, -0.05, 0.04])
    assert result.converged and result.stable, result.message
    assert result.q[0] == pytest.approx(crank, abs=1e-6)


@pytest.mark.parametrize('crank', [-1.0, 0.4, 1.5])
def test_a_four_bar_accelerates_as_its_one_degree_of_freedom(crank):
    """I(a) a'' + I'(a) a'^2 / 2 + V'(a) = torque."""
    rate, torque, step = 3.0, 0.7, 1e-3
    inertia = [2.0 * energy_terms(crank + s)[0] for s in (-step, 0.0, step)]
    slope = (inertia[2] - inertia[0]) / (2.0 * step)
    expected = (torque - 0.5 * slope * rate**2 - torque_that_holds(crank)) / inertia[1]
    q = joints(crank)
    qd = rate * (joints(crank + 1e-5) - joints(crank - 1e-5)) / 2e-5
    assert four_bar('force').acceleration(q, qd, u=[torque])[0] == pytest.approx(expected, rel=1e-4)


def test_a_swinging_four_bar_stays_closed_and_keeps_its_energy():
    rod, q = four_bar('force'), joints(0.4)
    motion = Integrator(rod, tolerance=1e-9)
    motion.reset(q)
    start, open_by, energy = rod.energy(q, 0 * q), [], []
    for _ in range(500):
        assert motion.step(1e-3, [0.0])
        open_by.append(np.abs(rod.constraint_error(motion.q)).max())
        energy.append(rod.energy(motion.q, motion.qd))
    assert np.ptp(motion.q) > 0.1
    assert np.max(open_by) < 1e-6
    swing = max(rod.energy(q, 0 * q) - rod.energy(joints(a), 0 * q) for a in np.linspace(-3, 3, 61))
    assert np.abs(np.array(energy) - start).max() < 1e-3 * swing


@pytest.mark.parametrize('gravity', [False, True])
def test_the_platform_stands_closed(gravity):
    rod = Rod(load_robot(PLATFORM))
    result = rod.statics(gravity=gravity)
    assert result.converged and result.stable, result.message
    assert np.abs(rod.constraint_error(result.q)).max() < 1e-6
    if not gravity:
        assert np.abs(result.q / rod.scale).max() < 1e-9


def test_the_platform_moves_closed():
    rod = Rod(load_robot(PLATFORM))
    motion = Integrator(rod)
    motion.reset(np.zeros(rod.dof))
    push = np.zeros((rod.arc_length.size, 6))
    push[-1, 3:] = [0.5, 0.3, -0.2]
    for _ in range(60):
        assert motion.step(5e-3, [], load=push)
        assert np.abs(rod.constraint_error(motion.q)).max() < 1e-6
    assert np.abs(motion.q / rod.scale).max() > 1e-3


def test_the_ground_bears_the_platform():
    """Newton's law of the whole: clamp, feet and weight balance, forces and moments about the origin.

    The clamp is made a free joint that drives hold, so that their efforts are its wrench.
    """
    robot_ = load_robot(PLATFORM)
    leg = robot_.links[0].model_dump() | {'joint': {'type': 'free'}}
    data = robot_.model_dump(exclude={'markers'})
    data['links'] = [leg, *data['links'][1:]]
    data['drives'] = [
        {'name': f'clamp_{i}', 'joint': 'leg_3', 'type': 'position', 'coordinate': i,
         'limits': {'position': [-1.0, 1.0]}} for i in range(6)
    ]  # fmt: skip
    rod = Rod(type(robot_).model_validate(data))
    result = rod.statics()
    assert result.converged, result.message
    A, reaction = rod.constraint_matrix(result.q), result.reaction
    feet = [rod.sampler([0.3], link).jacobian(result.q) for link in ('leg_1', 'leg_2')]
    columns = np.concatenate([J[0] for _, _, J in feet]).T
    # A^T reaction of the loops is J^T of the wrenches on the feet
    loops = A[:-6].T @ reaction[:-6]
    wrenches = np.linalg.lstsq(columns, loops, rcond=None)[0]
    assert np.allclose(columns @ wrenches, loops, rtol=0, atol=1e-8 * np.abs(loops).max())
    base = rod.sampler([0.0], 'leg_3').jacobian(result.q)
    total = np.zeros(6)
    for (R, p, _), wrench in zip([*feet, base], [wrenches[:6], wrenches[6:], reaction[-6:]], strict=True):
        force = R[0] @ wrench[3:]
        total += np.concatenate([R[0] @ wrench[:3] + np.cross(p[0], force), force])
    weight, arm = 0.0, np.zeros(3)
    for link in robot_.links:
        if link.type == 'soft':
            x, w = np.polynomial.legendre.leggauss(12)
            mass = link.length / 2 * w * link.material.density * link.area(link.length / 2 * (1 + x))
            p = rod.shape(result.q, link.length / 2 * (1 + x), link.name).position
        else:
            mass = np.array([link.body.mass])
            R, p, _ = rod.sampler([0.0], link.name).jacobian(result.q)
            p = p + R[0] @ np.array(link.body.center_of_mass)
        weight, arm = weight + mass.sum(), arm + mass @ p
    total[:3] += np.cross(arm, robot_.gravity)
    total[3:] += weight * np.array(robot_.gravity)
    assert np.abs(total).max() < 1e-4 * weight * GRAVITY


@pytest.mark.parametrize('crank', [-1.0, 0.4, 1.5])
def test_the_pfaffian_rows_span_those_of_the_closing_error(crank):
    """Closed, A and de/dq forbid the same motions; the joint's free angle turns the rows."""
    rod, q = four_bar('force'), joints(crank)
    size, columns = 1e-4, []
    for e in np.eye(3):
        columns.append((rod.constraint_error(q + size * e) - rod.constraint_error(q - size * e)) / (2 * size))
    free = null_space(rod.constraint_matrix(q), rcond=1e-9)
    assert free.shape == (3, 1)
    assert np.abs(np.stack(columns, axis=1) @ free).max() < 1e-7
    along = (joints(crank + 1e-5) - joints(crank - 1e-5)) / 2e-5
    assert abs(along @ free[:, 0]) == pytest.approx(np.linalg.norm(along), rel=1e-9)
