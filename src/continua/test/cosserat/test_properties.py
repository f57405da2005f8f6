"""From the robot file to the model: conventions, what counts as the body at the tip, refusals."""

import numpy as np
import pytest

from continua.cosserat import CollocationRod
from continua.rod import Rod
from continua.rod.section import elasticity


def test_axes_are_turned_once(arm, rod):
    stiffness = np.diagonal(elasticity(arm.link('arm'), np.zeros(1))[0])
    torsion, bend_y, bend_z, stretch, shear_y, shear_z = stiffness
    expected = np.array([shear_y, shear_z, stretch, bend_y, bend_z, torsion])
    assert 1.0 / rod.properties.compliance == pytest.approx(expected)
    # the paper: z along the rod, gravity along -z of an upright arm
    assert rod.properties.gravity == pytest.approx([0.0, 0.0, -9.81])
    assert rod.properties.pressure_wrench[2] == pytest.approx([235.6e-6] * 3)


@pytest.mark.parametrize('u', [[0.0, 0.0, 0.0], [9e3, 0.0, 0.0], [0.0, 3e3, 6e3]])
def test_the_tip_is_where_the_rod_engine_has_it(arm, u):
    """Small loads, many nodes: what is left is a wrong frame or axis."""
    engine, rod = Rod(arm), CollocationRod(arm, nodes=21)
    q = engine.statics(u).q
    shape = engine.shape(q, np.array([engine.length]))
    R, position = rod.pose(rod.statics(np.array(u)))
    assert position == pytest.approx(shape.position[0], abs=2e-4)
    tangent = engine.sampler(np.array([engine.length])).poses(q)[0][0]
    assert np.abs(R - tangent).max() < 2e-3


def test_sections_lead_to_the_tip(rod):
    x = rod.statics(np.array([40e3, 10e3, 0.0]))
    shape, (R, position) = rod.shape(x), rod.pose(x)
    assert shape.position[0] == pytest.approx([0.0, 0.0, 0.024])
    assert shape.R[-1] == pytest.approx(R)
    assert shape.position[-1] + 0.01 * R[:, 0] == pytest.approx(position)
    assert shape.arc_length[[0, -1]] == pytest.approx([0.0, rod.theta[0]])


def test_the_body_at_the_tip_is_all_that_is_fixed_there(arm, changed):
    def with_mass(data):
        data['masses'] = [{'name': 'holder', 'link': 'tip_cap', 'arc_length': 0.01, 'mass': 0.05}]

    heavier, plain = CollocationRod(changed(with_mass)), CollocationRod(arm)
    assert heavier.theta[1] == pytest.approx(plain.theta[1] + 0.05)
    total = heavier.theta[1] * heavier.properties.tip_inertia - plain.theta[1] * plain.properties.tip_inertia
    # 50 g, 1 cm beyond the section: linear first, z along the rod
    expected = 0.05 * np.diag([1.0, 1.0, 1.0, 1e-4, 1e-4, 0.0])
    expected[0, 4] = expected[4, 0] = 0.05 * 0.01
    expected[1, 3] = expected[3, 1] = -0.05 * 0.01
    assert total == pytest.approx(expected, abs=1e-12)


def test_a_bare_tip_takes_a_point_mass(changed):
    def bare(data):
        data['links'] = data['links'][:3]
        data['markers'] = []

    rod = CollocationRod(changed(bare))
    assert rod.theta[1] == 0.0
    light, heavy = (
        rod.base_wrench(rod.statics(np.zeros(3), theta=rod.with_theta(tip_mass=mass)))[3]
        for mass in (0.0, 0.02)
    )
    assert light - heavy == pytest.approx(0.02 * 9.81)


def _tendon(data):
    data['tendons'] = [
        {
            'name': 't',
            'link': 'arm',
            'range': [0.0, 0.1],
            'path': {'type': 'linear', 'start': [0.01, 0.0]},
            'limits': {'tension': [0.0, 1.0]},
        }
    ]


def _tapered(data):
    data['links'][2]['section']['radius'] = [0.0212, 0.0213]


def _undamped(data):
    data['links'][2]['material']['damping'] = 0.0


def _short(data):
    data['chambers'][1]['range'] = [0.0, 0.1]


def _hinged(data):
    data['links'][2]['joint'] = {'type': 'revolute', 'axis': [0.0, 1.0, 0.0]}


@pytest.mark.parametrize(
    ('edit', 'words'),
    [
        (_tendon, 'no tendons'),
        (_tapered, 'uniform and straight'),
        (_undamped, 'needs damping'),
        (_short, "chambers parallel to the whole soft link, got 'chamber_2'"),
        (_hinged, 'fixed joints'),
        (lambda data: data.update(chambers=[]), 'got none'),
    ],
    ids=lambda value: value.__name__ if callable(value) else '',
)
def test_what_the_model_cannot_be_is_refused(changed, edit, words):
    with pytest.raises(ValueError, match=words):
        CollocationRod(changed(edit))
