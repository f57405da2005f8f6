"""Equilibria down the energy, from the reference shape: of joints without springs, loops and columns."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from linkages import DENSITY, GRAVITY, LENGTH, MODULUS, bar, robot, soft
from robots import random_robot
from scipy.linalg import null_space
from scipy.optimize import brentq
from test_cables import length_of
from test_linkages import rod_of
from test_loops import energy_terms, four_bar, joints, torque_that_holds

from continua.description import Robot, load_robot
from continua.rod import Rod

ROBOTS = Path(__file__).parents[4] / 'config/robots'


@pytest.mark.parametrize('count', [1, 2, 3])
def test_bars_held_out_straight_end_up_hanging(count):
    result = rod_of(count).statics()
    assert result.converged and result.stable, result.message
    assert np.allclose(np.cumsum(result.q), np.pi / 2, rtol=0, atol=1e-9)
    assert result.residual < 1e-12


@pytest.mark.parametrize('off', [1e-3, -0.1])
def test_a_pendulum_off_the_top_falls_to_the_bottom(off):
    result = rod_of(1).statics(q0=[-np.pi / 2 + off])
    assert result.converged and result.stable, result.message
    assert np.sin(result.q[0]) == pytest.approx(1.0, abs=1e-12)


def test_a_bar_without_weight_turns_into_the_load():
    """There is neither stiffness nor weight that the load could be measured by."""
    load = {'name': 'pull', 'type': 'point', 'link': 'arm', 'arc_length': 0.3, 'force': [0.0, 0.0, -2.0]}
    result = Rod(robot(bar('arm', 0.3, 0.5), gravity=[0.0] * 3, loads=[load | {'frame': 'world'}])).statics()
    assert result.converged and result.stable, result.message
    assert result.q[0] == pytest.approx(np.pi / 2, abs=1e-9)


@pytest.mark.parametrize('tension', [0.5, 3.0, 20.0])
def test_a_cable_pulls_a_bar_to_where_weight_and_tension_balance(tension):
    points = [('base', 0.05, 0.06), ('arm', 0.2, 0.02)]
    base, arm = bar('base', 0.2, 1.0) | {'joint': {'type': 'fixed'}}, bar('arm', 0.25, 0.4, parent='base')
    cable = {'name': 'cable', 'type': 'points', 'limits': {'tension': [0.0, 100.0]}}
    cable['points'] = [{'link': link, 'arc_length': X, 'offset': [0.0, z]} for link, X, z in points]
    result = Rod(robot(base, arm, tendons=[cable])).statics([tension])
    assert result.converged and result.stable, result.message

    def energy(angle):
        return tension * length_of(points, angle)[0].sum() - 0.4 * GRAVITY * 0.125 * np.sin(angle)

    angle, step = result.q[0], 1e-4
    below, there, above = (energy(angle + s) for s in (-step, 0.0, step))
    assert (above - below) / (2.0 * step) == pytest.approx(0.0, abs=1e-7)
    assert result.smallest_eigenvalue == pytest.approx((above - 2.0 * there + below) / step**2, rel=1e-5)
    assert there < energy(0.0)


def test_a_soft_rod_on_a_free_joint_hangs_and_is_drawn_by_its_weight():
    """Its strain rho g (L - x) / E is linear, so the basis holds it."""
    rod = Rod(robot(soft(joint={'type': 'revolute', 'axis': [0.0, 1.0, 0.0]}, bending_y=3, elongation=1)))
    result = rod.statics()
    assert result.converged and result.stable, result.message
    drawn = DENSITY * GRAVITY * LENGTH**2 / (2.0 * MODULUS)
    tip = rod.shape(result.q, np.array([LENGTH])).position[0]
    assert np.allclose(tip, [0.0, 0.0, -LENGTH - drawn], rtol=0, atol=1e-9)


def lowest_cranks():
    """Crank angles at which the weight of the closed four-bar is lowest."""
    grid = np.linspace(-np.pi, np.pi, 200)
    torque = np.array([torque_that_holds(a) for a in grid])
    low = (torque[:-1] < 0.0) & (torque[1:] > 0.0)
    return [brentq(torque_that_holds, grid[i], grid[i + 1], xtol=1e-12) for i in np.flatnonzero(low)]


@pytest.mark.parametrize('crank', [-2.5, 0.4, 2.8])
def test_a_four_bar_closes_and_falls_to_its_lowest_position(crank):
    rod = four_bar('force')
    result = rod.statics(q0=joints(crank) + [0.05, -0.1, 0.08])
    assert result.converged and result.stable, result.message
    angle = np.arctan2(np.sin(result.q[0]), np.cos(result.q[0]))
    assert np.abs(np.array(lowest_cranks()) - angle).min() < 1e-6
    assert energy_terms(angle)[1] < energy_terms(crank)[1]
    assert np.abs(rod.constraint_error(result.q)).max() < 1e-6


def test_a_rail_bears_no_weight_along_itself():
    slide = bar('cart', 0.3, 0.5) | {'joint': {'type': 'prismatic', 'axis': [0.0, 0.0, 1.0]}}
    result = Rod(robot(slide)).statics()
    assert not result.converged
    assert 'a joint without a spring bears no load that nothing balances' in result.message


def test_a_cart_on_level_rails_rests_anywhere():
    slide = bar('cart', 0.3, 0.5) | {'joint': {'type': 'prismatic', 'axis': [1.0, 0.0, 0.0]}}
    result = Rod(robot(slide)).statics(q0=[0.2])
    assert result.converged and not result.stable
    assert result.q[0] == 0.2 and result.smallest_eigenvalue == 0.0
    assert 'indifferent' in result.message


@pytest.mark.parametrize('path', sorted(ROBOTS.glob('*.yaml')), ids=lambda path: path.stem)
def test_the_robots_of_this_workspace_need_newtons_method_only(path):
    rod = Rod(load_robot(path))
    result = rod.statics(np.full(len(rod.input_names), 1.0))
    assert result.converged and result.stable, result.message
    assert result.message == f'converged in {result.iterations} iterations' and result.iterations < 10


@pytest.mark.parametrize('seed', range(40))
def test_random_linkages_on_free_joints_come_to_rest(seed):
    """Without springs, under gravity alone: their energy has a lowest value, so there is an equilibrium."""
    data = random_robot(Random(seed), most_links=4)
    for link in data['links']:
        if 'joint' in link:
            axis = link['joint'].get('axis')
            link['joint'] = {'type': 'revolute', 'axis': axis} if axis else {'type': 'spherical'}
    data |= {key: [] for key in ('loads', 'tendons', 'disk_guides', 'chambers', 'drives', 'contacts')}
    rod = Rod(Robot.model_validate(data))
    result = rod.statics()
    assert result.converged and 'unstable' not in result.message, result.message
    # a joint that turns about the vertical rests anywhere
    assert result.smallest_eigenvalue >= 0.0
    # loops leave no force along what they leave free
    free = null_space(rod.constraint_matrix(result.q) * rod.scale, rcond=1e-9)
    force, size = rod.scale * rod.residual(result.q), rod.scale * (rod.stiffness @ result.q)
    assert np.abs(free.T @ force).max(initial=0.0) < 1e-8 * max(np.abs(size).max(), 1e-3)
