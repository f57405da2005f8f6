"""Tendons in disks, cables over several bodies and friction, against closed forms and virtual work."""

import numpy as np
import pytest
from linkages import LENGTH, MODULUS, RADIUS, bar, robot, soft
from test_derivatives import differences

from continua.rod import Rod

EI = MODULUS * np.pi * RADIUS**4 / 4.0
OFFSET, MARGIN = 0.012, 0.01
LIMITS = {'tension': [0.0, 100.0]}


def through_disks(count, friction=0.0, **orders):
    """A rod with a tendon in the holes of `count` disks, the last at the tip."""
    places = (np.linspace(0.0, LENGTH, count + 1)[1:]).tolist()
    places[-1] = LENGTH
    tendon = {'name': 't', 'link': 'beam', 'range': [0.0, LENGTH], 'guides': 'disks', 'friction': friction}
    tendon |= {'path': {'type': 'linear', 'start': [OFFSET, 0.0]}, 'limits': LIMITS}
    disks = {'name': 'disks', 'link': 'beam', 'arc_length': places, 'radius_margin': MARGIN}
    link = soft(**(orders or {'bending_z': 2}))
    return Rod(robot(link, gravity=[0.0] * 3, tendons=[tendon], disk_guides=[disks]), points=max(12, count))


def test_many_disks_are_a_tendon_in_the_body():
    """Gaps h long have chords h - d k h - k^2 h^3 / 24, so k = T d / (E I - T h^2 / 12)."""
    tension, offset = 0.5, 0.6 * OFFSET
    path = {'type': 'linear', 'start': [offset, 0.0]}
    tendon = {'name': 't', 'link': 'beam', 'range': [0.0, LENGTH], 'path': path, 'limits': LIMITS}
    link = soft(bending_z=2, elongation=1)
    continuous = Rod(robot(link, gravity=[0.0] * 3, tendons=[tendon])).statics([tension]).q[0]
    assert continuous == pytest.approx(tension * offset / EI, rel=1e-9)
    for count in (8, 16, 32):
        h = LENGTH / count
        disks = {'name': 'disks', 'link': 'beam', 'arc_length': [h * (i + 1) for i in range(count)]}
        guided = tendon | {'guides': 'disks'}
        rod = Rod(robot(link, gravity=[0.0] * 3, tendons=[guided], disk_guides=[disks]), points=32)
        share = tension * h**2 / 12.0
        found = rod.statics([tension]).q[0] / continuous - 1.0
        assert found == pytest.approx(share / (EI - share), rel=0.01)


@pytest.mark.parametrize('friction', [0.0, 0.2, 1.0])
def test_each_disk_leaves_what_capstan_says(friction):
    """Bent to a circle, spans between n disks turn by k L / n at each of n - 1: equal angles in between."""
    count, curvature, tension = 5, 3.0 / LENGTH, 2.0
    rod = through_disks(count, friction, bending_z=0)
    rod.residual([curvature], u=[tension])
    turn = curvature * LENGTH / count
    expected = tension * np.exp(-friction * turn * np.arange(count))
    assert np.allclose(rod._model.spans.tension, expected, rtol=1e-12)
    # chords of a circle of the holes' radius
    chord = 2.0 * (1.0 / curvature - OFFSET) * np.sin(turn / 2.0)
    assert np.allclose(rod._model.spans.length, chord, rtol=1e-12)
    assert rod.tendon_displacement([curvature])[0] == pytest.approx(LENGTH - count * chord, rel=1e-12)


def test_friction_is_felt_as_the_closed_form_says():
    """Each span works by its own tension: the bending moment is the sum of T_i dl_i/dk."""
    count, curvature, tension, friction = 5, 3.0 / LENGTH, 2.0, 0.4
    rod = through_disks(count, friction, bending_z=0)
    turn = curvature * LENGTH / count
    slope = -2.0 * np.sin(turn / 2.0) / curvature**2
    slope += (1.0 / curvature - OFFSET) * np.cos(turn / 2.0) * LENGTH / count
    pulls = tension * np.exp(-friction * turn * np.arange(count))
    assert rod.actuation_matrix([curvature])[0, 0] * tension == pytest.approx(-pulls.sum() * slope, rel=1e-10)


def test_a_frictionless_tendon_in_the_body_bends_alike_at_every_section():
    rod = through_disks(40, 0.0, bending_z=2)
    q = rod.statics([0.3]).q
    assert q[0] == pytest.approx(0.3 * OFFSET / EI, rel=2e-3)
    assert np.abs(q[1:]).max() < 2e-3 * q[0]


def across_two_bars(friction=0.0):
    """A cable from the ground bar over an eyelet to the second bar, beside the joint."""
    points = [('base', 0.05, 0.03), ('base', 0.18, 0.04), ('arm', 0.06, 0.03), ('arm', 0.2, 0.02)]
    base = bar('base', 0.2, 1.0) | {'joint': {'type': 'fixed'}}
    arm = bar('arm', 0.25, 0.4, parent='base', stiffness=1.0)
    cable = {'name': 'cable', 'type': 'points', 'friction': friction, 'limits': LIMITS}
    cable['points'] = [{'link': link, 'arc_length': X, 'offset': [0.0, z]} for link, X, z in points]
    return Rod(robot(base, arm, tendons=[cable], gravity=[0.0] * 3)), points


def length_of(points, angle):
    """Of the cable, and of its spans, for the joint's angle about y: x turns towards -z."""
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    place = [np.array([X, z]) if link == 'base' else [0.2, 0.0] + turn @ [X, z] for link, X, z in points]
    return np.linalg.norm(np.diff(place, axis=0), axis=1), np.diff(place, axis=0)


@pytest.mark.parametrize('angle', [-0.8, -0.2, 0.5])
def test_a_cable_over_two_bodies_pulls_by_its_shortening(angle):
    rod, points = across_two_bars()
    size = 1e-5
    slope = (length_of(points, angle + size)[0] - length_of(points, angle - size)[0]).sum() / (2.0 * size)
    assert rod.actuation_matrix([angle])[0, 0] == pytest.approx(-slope, rel=1e-8)
    expected = length_of(points, 0.0)[0].sum() - length_of(points, angle)[0].sum()
    assert rod.tendon_displacement([angle])[0] == pytest.approx(expected, rel=1e-12)
    assert rod.tendon_displacement_jacobian([angle])[0, 0] == pytest.approx(-slope, rel=1e-8)


@pytest.mark.parametrize('angle', [-0.8, 0.5])
def test_friction_at_the_eyelets_of_two_bodies(angle):
    """Only the spans that change length work; only what is left of the tension in them counts."""
    friction = 0.3
    rod, points = across_two_bars(friction)
    _, spans = length_of(points, angle)
    bearing = np.unwrap(np.arctan2(spans[:, 1], spans[:, 0]))
    left = np.exp(-friction * np.append(0.0, np.cumsum(np.abs(np.diff(bearing)))))
    size = 1e-5
    slope = (length_of(points, angle + size)[0] - length_of(points, angle - size)[0]) / (2.0 * size)
    assert rod.actuation_matrix([angle])[0, 0] == pytest.approx(-left @ slope, rel=1e-8)


def test_a_cable_turns_a_sprung_joint_to_where_the_moments_balance():
    rod, points = across_two_bars()
    result = rod.statics([3.0])
    assert result.converged and result.stable
    angle, size = result.q[0], 1e-5
    slope = (length_of(points, angle + size)[0] - length_of(points, angle - size)[0]).sum() / (2.0 * size)
    assert 1.0 * angle == pytest.approx(-3.0 * slope, rel=1e-7)
    # the cable runs on the side of +z, so it lifts the arm
    assert angle < -0.01


def test_a_cable_from_a_soft_link_to_a_rigid_one_works_by_its_displacement():
    hand = bar('hand', 0.1, 0.1, parent='beam', stiffness=0.1)
    points = [('beam', 0.1, 0.008), ('beam', 0.25, 0.008), ('beam', 0.37, 0.01), ('hand', 0.05, 0.02)]
    cable = {'name': 'cable', 'type': 'points', 'limits': LIMITS}
    cable['points'] = [{'link': link, 'arc_length': X, 'offset': [0.001, z]} for link, X, z in points]
    rod = Rod(robot(soft(bending_y=2, bending_z=1, elongation=1), hand, tendons=[cable]))
    q = 0.2 * rod.scale * np.random.default_rng(3).normal(size=rod.dof)
    slope = differences(rod.tendon_displacement, q, rod.scale)[0]
    found = rod.actuation_matrix(q)[:, 0]
    assert np.abs((slope - found) * rod.scale).max() < 1e-9 * np.abs(found * rod.scale).max()
    assert rod.statics([1.0]).converged
