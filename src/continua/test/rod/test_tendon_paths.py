"""Where tendons run: in the body, through disks, over points of several links."""

import numpy as np
from beams import LENGTH, TENDON, beam

from continua.description import parse_robot
from continua.rod import Rod
from continua.rod.drawing import draw
from continua.rod.poses import poses_of_coordinates
from continua.rod.tendon_paths import tendon_paths

_HYBRID = """
version: 1
name: hybrid
links:
  - name: soft
    type: soft
    length: 0.2
    section: {shape: circular, radius: 0.01}
    material: {density: 1000.0, youngs_modulus: 1.0e6, poisson_ratio: 0.5, damping: 100.0}
    strain_basis: {type: legendre, order: {bending_z: 0}}
  - name: plate
    parent: soft
    type: rigid
    length: 0.05
    body: {type: lumped, mass: 0.1, center_of_mass: [0.025, 0, 0], inertia: [1.0e-5, 1.0e-5, 1.0e-5, 0, 0, 0]}
disk_guides: [{name: disks, link: soft, arc_length: [0.1, 0.2], radius_margin: 0.005}]
tendons:
  - {name: guided, link: soft, range: [0, 0.2], path: {type: linear, start: [0.012, 0]}, guides: disks,
     limits: {tension: [0, 10]}}
  - name: cable
    type: points
    points:
      - {link: soft, arc_length: 0.0, offset: [0.02, 0.0]}
      - {link: plate, arc_length: 0.05, offset: [0.02, 0.001]}
    limits: {tension: [0, 10]}
"""


def test_a_tendon_in_a_bent_body_is_an_arc_of_its_own_radius():
    tendon = TENDON.format(end=LENGTH, y=0.005, friction=0)
    rod = Rod(beam('bending_z: 0', tendons=tendon))
    line = tendon_paths(rod.robot, poses_of_coordinates(rod, np.array([2.0])), points=30)['t']
    assert line.shape == (30, 3)
    centre = np.array([0.0, 0.5, 0.0])
    np.testing.assert_allclose(np.linalg.norm(line - centre, axis=1), 0.5 - 0.005, rtol=1e-9)
    length = np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
    # the tendon has left the body by as much as its path has become shorter
    np.testing.assert_allclose(LENGTH - length, rod.tendon_displacement(np.array([2.0]))[0], rtol=1e-2)


def test_guided_tendons_and_cables_have_corners_at_their_points():
    rod = Rod(parse_robot(_HYBRID))
    paths = draw(rod, np.zeros(1)).tendons
    np.testing.assert_allclose(paths['guided'], [[0, 0.012, 0], [0.1, 0.012, 0], [0.2, 0.012, 0]], atol=1e-12)
    np.testing.assert_allclose(paths['cable'], [[0, 0.02, 0], [0.25, 0.02, 0.001]], atol=1e-12)
    q = np.array([3.0])
    tip = rod.shape(q, np.array([0.2]), 'soft')
    bent = draw(rod, q).tendons
    angle = 0.6
    np.testing.assert_allclose(tip.position[0], [np.sin(angle) / 3, (1 - np.cos(angle)) / 3, 0], atol=1e-12)
    beyond = tip.position[0] + 0.05 * np.array([np.cos(angle), np.sin(angle), 0])
    outward = np.array([-np.sin(angle), np.cos(angle), 0])
    np.testing.assert_allclose(bent['cable'][1], beyond + 0.02 * outward + [0, 0, 0.001], atol=1e-12)
    for name, line in bent.items():
        shorter = np.linalg.norm(np.diff(paths[name], axis=0), axis=1).sum()
        shorter -= np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
        index = rod.robot.tendon_names.index(name)
        np.testing.assert_allclose(rod.tendon_displacement(q)[index], shorter, atol=1e-12)
