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


@pytest.fixture
def command():
    """command('statics', *arguments) -> typer's result; a ValueError is in its `exception`."""

    def invoke(name, *arguments):
        app = typer.Typer()
        app.command(name)(getattr(import_module(f'continua.cli.{name}'), name))
        return CliRunner().invoke(app, [str(argument) for argument in arguments])

    return invoke
