"""A robot that uses every part of the format, as the data of its file."""

import copy

import pytest
import yaml

from continua.description import parse_robot

EVERYTHING = """
version: 1
name: test_arm
base: {position: [0.1, 0.0, 0.4], orientation_xyzw: [0.0, 0.0, 0.0, 1.0]}
gravity: [0.0, 0.0, -9.81]
links:
  - name: arm
    type: soft
    length: 0.2
    section: {shape: circular, radius: [0.012, 0.006]}
    material: {density: 1070.0, youngs_modulus: 1000000.0, poisson_ratio: 0.49, damping: 5000.0}
    strain_basis:
      type: legendre
      order: {torsion: 1, bending_y: 4, bending_z: 3, elongation: 0, shear_y: null, shear_z: null}
    quadrature_points: 9
tendons:
  - name: straight
    link: arm
    range: [0.0, 0.2]
    path: {type: linear, start: [0.008, 0.0], end: [0.004, 0.0]}
    limits: {tension: [0.0, 5.0], tension_rate: 50.0, displacement: [-0.02, 0.05]}
    friction: 0.1
    time_constant: 0.03
  - name: screw
    link: arm
    range: [0.05, 0.15]
    path: {type: helical, radius: [0.005, 0.004], phase: 1.0, turns: 0.5}
    limits: {tension: [0.0, 5.0]}
  - name: wavy
    link: arm
    range: [0.0, 0.1]
    path: {type: points, arc_length: [0.0, 0.04, 0.1], points: [[0.0, 0.006], [0.001, 0.007], [0.0, 0.005]]}
    limits: {tension: [0.0, 5.0]}
  - name: outside
    link: arm
    range: [0.0, 0.2]
    path: {type: linear, start: [0.0, 0.014], end: [0.0, 0.008]}
    guides: disks
    limits: {tension: [0.0, 5.0]}
disk_guides:
  - {name: disks, link: arm, arc_length: [0.05, 0.1, 0.2], radius_margin: 0.003}
chambers:
  - name: chamber
    link: arm
    range: [0.0, 0.1]
    path: {type: linear, start: [-0.004, 0.0]}
    area: 30.0e-6
    limits: {pressure: [0.0, 75000.0], pressure_rate: 1000000.0}
markers:
  - {name: middle, link: arm, arc_length: 0.1, offset: [0.0, 0.02], role: held_out}
  - {name: tip, link: arm, arc_length: 0.2, offset: [0.0, 0.0]}
"""


@pytest.fixture
def data():
    """The data of a valid file, to be changed at will."""
    return copy.deepcopy(yaml.safe_load(EVERYTHING))


@pytest.fixture(scope='session')
def robot_text():
    return EVERYTHING


@pytest.fixture
def robot():
    return parse_robot(EVERYTHING)
