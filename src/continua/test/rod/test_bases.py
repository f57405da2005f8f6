"""Strain bases, divisions and reference strains against each other and against closed forms."""

import numpy as np
import pytest
from linkages import LENGTH, MODULUS, POISSON, RADIUS, robot, soft
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from continua.rod import Rod

EI = MODULUS * np.pi * RADIUS**4 / 4.0
GJ = MODULUS / (2.0 * (1.0 + POISSON)) * np.pi * RADIUS**4 / 2.0
BENDING = {'bending_y': 4, 'bending_z': 4, 'torsion': 3}


def rod_of(points=None, bases=None, gravity=(0.0, 0.0, 0.0), **link):
    return Rod(robot(soft(**link), gravity=list(gravity)), points=points, bases=bases)


def bent(rod, force=(0.0, 0.0, 0.0), moment=(0.0, 0.0, 0.0)):
    """Tip position under a dead wrench at the tip."""
    load = np.zeros((rod.arc_length.size, 6))
    load[-1] = [*moment, *force]
    result = rod.statics(load=load)
    assert result.converged, result.message
    return rod.shape(result.q, np.array([rod.length])).position[0]


FORCE = np.array([0.0, 0.6, 1.3]) * EI / LENGTH**2


@pytest.mark.parametrize('family', ['monomial', 'chebyshev'])
def test_polynomials_of_one_order_are_one_space(family):
    tips = [bent(rod_of(points=9, basis=each, **BENDING), FORCE) for each in ('legendre', family)]
    assert np.abs(tips[0]).max() > 0.3 * LENGTH
    assert np.allclose(*tips, rtol=0, atol=1e-9 * LENGTH)


def test_a_given_basis_of_the_same_functions_is_the_same_model():
    def columns(X):
        out = np.zeros((X.size, 6, 10))
        out[:, 1, :5] = out[:, 2, 5:] = np.polynomial.legendre.legvander(2 * X / LENGTH - 1, 4)
        return out

    order = {'bending_y': 4, 'bending_z': 4}
    theirs = rod_of(points=9, bases={'beam': columns}, bending_y=0)
    ours = rod_of(points=9, **order)
    assert theirs.dof == ours.dof and theirs.model_id != ours.model_id
    assert np.allclose(bent(theirs, FORCE), bent(ours, FORCE), rtol=0, atol=1e-9 * LENGTH)


def test_a_synergy_couples_strains():
    """One column of two strains: the equilibrium minimises the energy along it."""

    def columns(X):
        out = np.zeros((X.size, 6, 1))
        out[:, 2, 0], out[:, 0, 0] = 1.0, 2.0
        return out

    rod = rod_of(bases={'beam': columns}, bending_z=0)
    assert rod.stiffness[0, 0] == pytest.approx(LENGTH * (EI + 4.0 * GJ), rel=1e-12)
    assert np.array_equal(rod.strain_index, [-1])


@pytest.mark.parametrize('wrong', [np.ones((5, 3, 2)), np.full((5, 6, 1), np.nan)])
def test_a_given_basis_that_is_none_is_refused(wrong):
    with pytest.raises(ValueError, match=r'bases: expected finite columns of shape \(5, 6, n\)'):
        rod_of(bases={'beam': lambda X: wrong}, bending_z=0)


def test_a_basis_for_a_link_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match='bases: bean: not a soft link'):
        rod_of(bases={'bean': lambda X: np.ones((X.size, 6, 1))}, bending_z=0)


def elastica(force):
    """Tip of a cantilever under a dead force across it, by shooting."""

    def shoot(curvature):
        return solve_ivp(
            lambda X, y: [y[1], -force / EI * np.cos(y[0]), np.cos(y[0]), np.sin(y[0])],
            (0.0, LENGTH), [0.0, curvature, 0.0, 0.0], rtol=1e-12, atol=1e-14,
        ).y[:, -1]  # fmt: skip

    tip = shoot(brentq(lambda k: shoot(k)[1], 0.0, 2.0 * force * LENGTH / EI, xtol=1e-13))
    return np.array([tip[2], tip[3], 0.0])


@pytest.mark.parametrize(
    ('family', 'least'), [('piecewise_constant', 1.7), ('piecewise_linear', 3.4), ('cubic_hermite', 4.5)]
)
def test_elements_converge_to_the_elastica(family, least):
    """The tip is a functional of the strain, so its error is of twice the basis' order of approximation."""
    force, errors = 3.0 * EI / LENGTH**2, []
    counts = (1, 2, 4) if family == 'cubic_hermite' else (2, 4, 8)
    for count in counts:
        rod = rod_of(points=24 * count, basis=family, bending_z=count)
        errors.append(np.linalg.norm(bent(rod, (0.0, force, 0.0)) - elastica(force)) / LENGTH)
    orders = -np.diff(np.log2(errors))
    assert np.all(np.diff(errors) < 0.0) and errors[-1] < 3e-3
    assert orders[-1] > least or errors[-1] < 1e-8


def test_two_divisions_hold_what_one_does():
    parts = [
        {'end': end, 'strain_basis': {'type': 'legendre', 'order': {'bending_y': 5, 'bending_z': 5}}}
        for end in (0.4 * LENGTH, LENGTH)
    ]
    one, two = rod_of(points=50, bending_y=8, bending_z=8), rod_of(points=40, divisions=parts)
    assert two.dof == 24
    assert np.allclose(bent(one, FORCE), bent(two, FORCE), rtol=0, atol=1e-7 * LENGTH)


def test_divisions_hold_a_strain_that_jumps():
    """A moment at 0.4 L bends what is before it into an arc and leaves the rest straight."""
    cut, curvature = 0.4 * LENGTH, 1.5 / LENGTH
    order = {'type': 'legendre', 'order': {'bending_z': 0}}
    parts = [{'end': end, 'strain_basis': order} for end in (cut, LENGTH)]
    load = {'name': 'twist', 'type': 'point', 'link': 'beam', 'arc_length': cut, 'frame': 'world'}
    load['moment'] = [0.0, 0.0, EI * curvature]
    rod = Rod(robot(soft(divisions=parts), gravity=[0.0] * 3, loads=[load]))
    result = rod.statics()
    assert np.allclose(result.q, [curvature, 0.0], rtol=0, atol=1e-9 * curvature)
    strain = rod.shape(result.q, np.array([0.39, 0.41]) * LENGTH).strain[:, 2]
    assert np.allclose(strain, [curvature, 0.0], rtol=0, atol=1e-9 * curvature)


def test_a_rod_at_rest_is_the_arc_that_it_was_made_as():
    curvature = 2.0 / LENGTH
    rod = rod_of(bending_y=1, bending_z=1, reference_strain=[0.0, 0.0, curvature, 1.0, 0.0, 0.0])
    assert np.abs(rod.statics().q).max() < 1e-12
    X = np.linspace(0.0, LENGTH, 9)
    arc = np.stack([np.sin(curvature * X), 1.0 - np.cos(curvature * X), 0.0 * X], axis=1) / curvature
    assert np.allclose(rod.shape(np.zeros(rod.dof), X).position, arc, rtol=0, atol=1e-14)


def test_a_helix_at_rest_has_its_radius_and_pitch():
    radius, pitch = 0.05, 0.06
    share = 2.0 * np.pi / (4.0 * np.pi**2 * radius**2 + pitch**2)
    curvature, torsion = 2.0 * np.pi * radius * share, pitch * share
    turn = np.hypot(2.0 * np.pi * radius, pitch)
    rod = rod_of(
        length=2.0 * turn,
        bending_z=0,
        section={'shape': 'circular', 'radius': 0.002},
        reference_strain=[torsion, 0.0, curvature, 1.0, 0.0, 0.0],
    )
    X = np.array([0.0, 0.5, 1.0, 1.5, 2.0]) * turn
    p = rod.shape(np.zeros(rod.dof), X).position
    assert np.allclose(np.linalg.norm(p[[2, 4]] - p[[0, 2]], axis=1), pitch, rtol=1e-12)
    axis = (p[2] - p[0]) / pitch
    across = (p[1] - p[0]) - axis * (axis @ (p[1] - p[0]))
    assert np.linalg.norm(across) == pytest.approx(2.0 * radius, rel=1e-12)


def test_a_helical_spring_has_the_stiffness_of_its_wire_in_torsion_and_bending():
    """Per turn of angle a, an axial force winds the wire by P R cos(a) and bends it by P R sin(a), so that
    its point moves by P R^2 s (cos^2 a / G J + sin^2 a / E I)."""
    radius, wire, turns, angle = 0.05, 0.002, 6, 0.08
    length = 2.0 * np.pi * radius * turns / np.cos(angle)
    inertia = np.pi * wire**4 / 4.0
    rod = rod_of(
        points=120,
        length=length,
        section={'shape': 'circular', 'radius': wire},
        basis='piecewise_linear',
        torsion=40, bending_y=40, bending_z=40,
        reference_strain=[
            np.sin(angle) * np.cos(angle) / radius, 0.0, np.cos(angle) ** 2 / radius, 1.0, 0.0, 0.0
        ],
    )  # fmt: skip
    rest = rod.shape(np.zeros(rod.dof), np.array([0.0, length])).position
    axis = np.array([np.sin(angle), 0.0, np.cos(angle)])
    centre = np.array([0.0, radius, 0.0])
    assert np.allclose((rest[1] - rest[0]) @ axis, length * np.sin(angle), rtol=1e-9)
    force = 1e-6 * MODULUS * inertia / radius**2
    # the force acts on the axis of the helix: at the tip, with its moment about there
    arm = centre - rest[1]
    arm -= axis * (axis @ arm)
    tip = bent(rod, force * axis, np.cross(arm, force * axis))
    load_moves = (tip - rest[1]) @ axis
    # the tip turns as well, and carries the point on the axis with it
    load = np.zeros((rod.arc_length.size, 6))
    load[-1] = [*np.cross(arm, force * axis), *(force * axis)]
    result = rod.statics(load=load)
    R, _ = rod.sampler(np.array([length])).poses(result.q)
    R0, _ = rod.sampler(np.array([length])).poses(np.zeros(rod.dof))
    load_moves += (R[0] @ R0[0].T @ arm - arm) @ axis
    twist = np.cos(angle) ** 2 / (MODULUS / (2.0 * (1.0 + POISSON)) * 2.0 * inertia)
    expected = force * radius**2 * length * (twist + np.sin(angle) ** 2 / (MODULUS * inertia))
    assert load_moves == pytest.approx(expected, rel=2e-3)


SECTIONS = {
    'rectangular': {'shape': 'rectangular', 'width': 0.02, 'height': 0.01},
    'elliptical': {'shape': 'elliptical', 'semi_axes': {'y': 0.01, 'z': 0.005}},
}


@pytest.mark.parametrize('shape', SECTIONS)
def test_sections_bend_about_both_axes_and_twist(shape):
    width, height = 0.02, 0.01
    if shape == 'rectangular':
        about_y, about_z = width * height**3 / 12.0, height * width**3 / 12.0
        # Timoshenko's table for a ratio of 2
        torsion = 0.22868 * width * height**3
    else:
        about_y, about_z = (np.pi * width * height / 64.0 * x**2 for x in (height, width))
        torsion = np.pi / 16.0 * width**3 * height**3 / (width**2 + height**2)
    rod = rod_of(section=SECTIONS[shape], torsion=0, bending_y=0, bending_z=0)
    moment = 1e-3 * MODULUS * about_y / LENGTH
    for axis, rigidity in enumerate(
        (torsion * MODULUS / (2.0 * (1.0 + POISSON)), about_y * MODULUS, about_z * MODULUS)
    ):
        load = np.zeros((rod.arc_length.size, 6))
        load[-1, axis] = moment
        q = rod.statics(load=load).q
        assert q[axis] == pytest.approx(moment / rigidity, rel=2e-5)


@pytest.mark.parametrize('shape', SECTIONS)
def test_a_timoshenko_cantilever_of_any_section(shape):
    rod = rod_of(length=0.2, section=SECTIONS[shape], bending_z=1, shear_y=0)
    link = rod.robot.links[0]
    area, inertia = link.area(0.0), link.second_moments(0.0)[2]
    force = 1e-5 * MODULUS * inertia / 0.2**2
    shear = MODULUS / (2.0 * (1.0 + POISSON)) * area
    expected = force * (0.2**3 / (3.0 * MODULUS * inertia) + 0.2 / shear)
    assert bent(rod, (0.0, force, 0.0))[1] == pytest.approx(expected, rel=1e-6)
