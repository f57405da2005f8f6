"""Loads and masses of the robot file, and backbones over several links."""

import numpy as np
import pytest
from linkages import DENSITY, GRAVITY, LENGTH, MODULUS, RADIUS, bar, robot, soft
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from continua.rod import Rod
from continua.rod.modal import vibration_modes

AREA = np.pi * RADIUS**2
EI = MODULUS * np.pi * RADIUS**4 / 4.0
STILL = {'gravity': [0.0, 0.0, 0.0]}


def point(frame, force, X=LENGTH, **keys):
    return {
        'name': 'load',
        'type': 'point',
        'link': 'beam',
        'arc_length': X,
        'frame': frame,
        'force': force,
    } | keys


def tip(rod, q):
    return rod.shape(q, np.array([rod.length])).position[0]


def test_a_dead_load_in_the_file_is_one_at_the_call():
    force = [0.0, 0.02, 0.01]
    link = soft(bending_y=3, bending_z=3)
    of_file, of_call = Rod(robot(link, loads=[point('world', force)])), Rod(robot(link))
    load = np.zeros((of_call.arc_length.size, 6))
    load[-1, 3:] = force
    expected = of_call.statics(load=load).q
    assert np.allclose(of_file.statics().q, expected, rtol=0, atol=1e-9 * np.abs(expected).max())
    assert not np.allclose(of_call.statics().q, expected, rtol=0.1)


@pytest.mark.parametrize('frame', ['world', 'body'])
def test_a_tip_force_in_world_or_body_axes(frame):
    """E I t'' + F cos(t) = 0 for the dead force, cos(t - t(L)) for the one that turns with the tip."""
    force = 2.0 * EI / LENGTH**2

    def turned(end, curvature=None):
        """Shoot from the tip, where there is no curvature: the base's angle."""
        direction = end if frame == 'body' else 0.0
        return solve_ivp(
            lambda s, y: [-y[1], force / EI * np.cos(y[0] - direction), -np.cos(y[0]), -np.sin(y[0])],
            (0.0, LENGTH), [end, 0.0, 0.0, 0.0], rtol=1e-11, atol=1e-13,
        ).y[:, -1]  # fmt: skip

    end = brentq(lambda t: turned(t)[0], 0.0, 1.5)
    expected = -turned(end)[2:]
    rod = Rod(robot(soft(bending_z=6), loads=[point(frame, [0.0, force, 0.0])], **STILL), points=24)
    result = rod.statics()
    assert result.converged
    assert np.allclose(tip(rod, result.q)[:2], expected, rtol=0, atol=1e-6 * LENGTH)


def test_a_point_load_in_the_middle_bends_only_what_is_before_it():
    """P a^2 (3 L - a) / 6 E I at the tip; with divisions that end there the strain is exact."""
    a, force = 0.4 * LENGTH, 1e-4 * EI / LENGTH**2
    basis = {'type': 'legendre', 'order': {'bending_z': 1}}
    parts = [{'end': end, 'strain_basis': basis} for end in (a, LENGTH)]
    rod = Rod(robot(soft(divisions=parts), loads=[point('world', [0.0, force, 0.0], a)], **STILL))
    q = rod.statics().q
    assert tip(rod, q)[1] == pytest.approx(force * a**2 * (3 * LENGTH - a) / (6 * EI), rel=1e-6)
    assert np.abs(q[2:]).max() < 1e-9 * np.abs(q).max()


def test_a_distributed_load_over_a_part():
    """w (a^3 / 6) (L - a / 4) / E I at the tip, for w from the base to a."""
    a, w = 0.6 * LENGTH, 1e-4 * EI / LENGTH**3
    load = {'name': 'wind', 'type': 'distributed', 'link': 'beam', 'range': [0.0, a], 'frame': 'world'}
    basis = {'type': 'legendre', 'order': {'bending_z': 2}}
    parts = [{'end': end, 'strain_basis': basis} for end in (a, LENGTH)]
    rod = Rod(robot(soft(divisions=parts), loads=[load | {'force': [0.0, w, 0.0]}], **STILL))
    assert tip(rod, rod.statics().q)[1] == pytest.approx(w * a**3 / 6 * (LENGTH - a / 4) / EI, rel=1e-6)


def test_own_weight_as_a_distributed_load():
    link = soft(bending_y=3)
    load = {'name': 'weight', 'type': 'distributed', 'link': 'beam', 'range': [0.0, LENGTH], 'frame': 'world'}
    loaded = Rod(robot(link, loads=[load | {'force': [0.0, 0.0, -DENSITY * AREA * GRAVITY]}], **STILL))
    expected = Rod(robot(link)).statics().q
    assert np.allclose(loaded.statics().q, expected, rtol=0, atol=1e-9 * np.abs(expected).max())


def test_a_following_moment_along_the_rod_twists_it():
    m, link = 1e-4, soft(torsion=1)
    load = {'name': 'm', 'type': 'distributed', 'link': 'beam', 'range': [0.0, LENGTH], 'frame': 'body'}
    rod = Rod(robot(link, loads=[load | {'moment': [m, 0.0, 0.0]}], **STILL))
    strain = rod.shape(rod.statics().q, np.array([0.0, LENGTH])).strain[:, 0]
    rigidity = MODULUS / 2.6 * np.pi * RADIUS**4 / 2.0
    assert np.allclose(strain, [m * LENGTH / rigidity, 0.0], rtol=0, atol=1e-9 * strain[0])


@pytest.mark.parametrize('share', [0.5, 2.0, 10.0])
def test_a_tip_mass_lowers_the_frequency(share):
    """1 + cos b cosh b + share b (cos b sinh b - sin b cosh b) = 0 for a mass of so many times the beam's."""

    def characteristic(b):
        return 1 + np.cos(b) * np.cosh(b) + share * b * (np.cos(b) * np.sinh(b) - np.sin(b) * np.cosh(b))

    b, radius = brentq(characteristic, 0.1, 1.87510407), 1e-3 * LENGTH
    line = DENSITY * np.pi * radius**2
    mass = {'name': 'tip', 'link': 'beam', 'arc_length': LENGTH, 'mass': share * line * LENGTH}
    section = {'shape': 'circular', 'radius': radius}
    rod = Rod(robot(soft(bending_z=8, section=section), masses=[mass], **STILL), points=30)
    expected = (b / LENGTH) ** 2 * np.sqrt(MODULUS * np.pi * radius**4 / 4 / line) / (2 * np.pi)
    assert vibration_modes(rod, np.zeros(rod.dof))[0].frequency == pytest.approx(expected, rel=1e-5)


def test_a_mass_off_the_axis_turns_with_its_section():
    """About the x axis: the section's moment of inertia and m d^2, without a spring."""
    offset, m = 0.05, 0.2
    spin = {'type': 'revolute', 'axis': [1.0, 0.0, 0.0]}
    mass = {'name': 'm', 'link': 'arm', 'arc_length': 0.1, 'offset': [0.02, 0.0, offset], 'mass': m}
    arm = bar('arm', 0.2, 0.3) | {'joint': spin}
    rod = Rod(robot(arm, masses=[mass]))
    assert rod.mass_matrix([0.3])[0, 0] == pytest.approx(m * offset**2, rel=1e-12)
    # gravity pulls it down with the lever of its offset
    assert rod.residual([np.pi / 2])[0] == pytest.approx(-m * GRAVITY * offset, rel=1e-12)
    assert rod.energy(np.zeros(1), np.zeros(1)) == pytest.approx(m * GRAVITY * offset, rel=1e-12)


def hand_and_arm():
    """A soft arm, from whose middle a bar branches, and at whose tip another bar hangs."""
    hand = bar('hand', 0.1, 0.1, parent='beam')
    thorn = bar('thorn', 0.15, 0.1, parent='beam') | {'attach': {'arc_length': 0.5 * LENGTH}}
    return soft(bending_y=2, bending_z=1), hand, thorn


def test_the_backbone_runs_from_the_base_to_the_tip_of_the_last_link():
    link, hand, thorn = hand_and_arm()
    whole, branch = Rod(robot(link, thorn, hand)), Rod(robot(link, hand, thorn))
    assert whole.length == pytest.approx(LENGTH + 0.1)
    assert branch.length == pytest.approx(0.5 * LENGTH + 0.15)
    q = 0.3 * whole.scale * np.random.default_rng(2).normal(size=whole.dof)
    X = np.array([0.1, LENGTH, LENGTH + 0.04, LENGTH + 0.1])
    along = whole.shape(q, X)
    assert np.array_equal(along.arc_length, X)
    for rows, each, name in (
        (slice(0, 2), X[:2], 'beam'), (slice(2, 4), X[2:] - LENGTH, 'hand')
    ):  # fmt: skip
        part = whole.shape(q, each, name)
        assert np.allclose(along.position[rows], part.position, rtol=0, atol=1e-14)
        assert np.allclose(along.orientation_xyzw[rows], part.orientation_xyzw, rtol=0, atol=1e-14)
    turned = np.linalg.norm(np.diff(along.position[2:], axis=0))
    assert turned == pytest.approx(0.06, rel=1e-12)


def test_a_sampler_gives_sections_in_the_order_asked_for():
    rod = Rod(robot(*hand_and_arm()[:2]))
    X = np.array([LENGTH + 0.05, 0.1, LENGTH, 0.0])
    q = 0.3 * rod.scale
    expected = [rod.shape(q, np.array([x])).position[0] for x in X]
    assert np.allclose(rod.shape(q, X).position, expected, rtol=0, atol=1e-14)


def test_places_beyond_a_link_or_the_backbone_are_refused():
    rod = Rod(robot(*hand_and_arm()[:2]))
    q = np.zeros(rod.dof)
    with pytest.raises(ValueError, match='arc_length: expected a vector of values in'):
        rod.shape(q, np.array([LENGTH + 0.11]))
    with pytest.raises(ValueError, match='of hand'):
        rod.shape(q, np.array([0.11]), 'hand')
