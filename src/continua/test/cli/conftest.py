"""Runs one command as `continua NAME ...` would, without the installed entry points."""

from importlib import import_module

import pytest
import typer
from typer.testing import CliRunner

ROBOT = """
version: 1
name: beam
base: {position: [0.0, 0.0, 0.5]}
links:
  - name: beam
    type: soft
    length: 0.4
    section: {shape: circular, radius: 0.008}
    material: {density: 1100.0, youngs_modulus: 2.0e6, poisson_ratio: 0.3, damping: 1.0e3}
    strain_basis: {type: legendre, order: {bending_y: 2, bending_z: 2}}
tendons:
  - {name: side, link: beam, range: [0.0, 0.4], path: {type: linear, start: [0.005, 0.0]},
     limits: {tension: [0.0, 20.0]}}
  - {name: top, link: beam, range: [0.0, 0.4], path: {type: linear, start: [0.0, 0.005]},
     limits: {tension: [0.0, 20.0]}}
"""


@pytest.fixture
def beam_file(tmp_path):
    """A horizontal beam of 0.4 m along world x with two tendons 5 mm off its centre line."""
    path = tmp_path / 'beam.yaml'
    path.write_text(ROBOT)
    return path


HYBRID = """
version: 1
name: crane
links:
  - name: boom
    type: rigid
    length: 0.5
    body: {type: lumped, mass: 2.0, center_of_mass: [0.25, 0, 0], inertia: [0.01, 0.04, 0.04, 0, 0, 0]}
    joint: {type: revolute, axis: [0.0, 1.0, 0.0], stiffness: 40.0, damping: 1.0}
  - name: turret
    parent: boom
    type: rigid
    length: 0.1
    body: {type: lumped, mass: 0.1, center_of_mass: [0.05, 0, 0], inertia: [1.0e-4, 1.0e-4, 1.0e-4, 0, 0, 0]}
    joint: {type: revolute, axis: [1.0, 0.0, 0.0]}
  - name: finger
    parent: turret
    type: soft
    length: 0.2
    section: {shape: rectangular, width: 0.02, height: 0.01}
    material: {density: 1000.0, youngs_modulus: 1.0e6, poisson_ratio: 0.5, damping: 1.0e3}
    strain_basis: {type: legendre, order: {bending_y: 1, bending_z: 1}}
tendons:
  - {name: pull, link: finger, range: [0.0, 0.2], path: {type: linear, start: [0.0, 0.004]},
     limits: {tension: [0.0, 10.0]}}
chambers:
  - {name: bellow, link: finger, range: [0.0, 0.2], path: {type: linear, start: [0.0, -0.002]}, area: 2.0e-5,
     limits: {pressure: [0.0, 5.0e4]}}
drives:
  - {name: lift, joint: boom, type: force, limits: {effort: [-20.0, 20.0]}}
  - {name: turn, joint: turret, type: position, limits: {position: [-3.0, 3.0]}}
"""


@pytest.fixture
def crane_file(tmp_path):
    """A boom on a sprung joint with a motor, a turret turned to a position, a soft finger."""
    path = tmp_path / 'crane.yaml'
    path.write_text(HYBRID)
    return path


@pytest.fixture
def command():
    """command('statics', *arguments) -> typer's result; a ValueError is in its `exception`."""

    def invoke(name, *arguments):
        app = typer.Typer()
        app.command(name)(getattr(import_module(f'continua.cli.{name}'), name))
        return CliRunner().invoke(app, [str(argument) for argument in arguments])

    return invoke
