"""The page of `continua show`: what it draws and how it follows the sliders; no browser needed."""

import http.client
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlparse

import numpy as np
import pytest

from continua.description import load_robot
from continua.rod import Rod
from continua_bringup.console.server import open_server
from continua_bringup.show.page import Page

ROBOT_FILE = Path(__file__).resolve().parents[4] / 'config/robots/tendon_arm.yaml'


@pytest.fixture
def server():
    server = open_server('127.0.0.1', 0, 'test')
    yield server
    server.stop()


@pytest.fixture
def robot():
    return load_robot(ROBOT_FILE)


@pytest.fixture
def page(server, robot):
    return Page(server, robot, np.array([2.0, 0, 0, 0, 0, 0]), gravity=True)


def tip_of_skin(server):
    return np.asarray(server.scene.get_handle_by_name('/links/arm').vertices)[-1]


def test_the_skin_stands_at_the_equilibrium(page, server, robot):
    rod = Rod(robot)
    q = rod.statics(np.array([2.0, 0, 0, 0, 0, 0])).q
    tip = rod.shape(q, np.array([rod.length])).position[0]
    np.testing.assert_allclose(tip_of_skin(server), tip, atol=1e-6)
    line = server.scene.get_handle_by_name('/tendons/long_1').points
    np.testing.assert_allclose(np.linalg.norm(line[-1] - tip), 0.003, atol=1e-6)


def test_sliders_and_gravity_move_it(page, server, robot):
    page._sliders[0].value, page._sliders[1].value = 0.0, 3.0
    page._gravity.value = False
    page.update()
    rod = Rod(robot)
    q = rod.statics(np.array([0, 3.0, 0, 0, 0, 0]), gravity=False).q
    expected = rod.shape(q, np.array([rod.length])).position[0]
    np.testing.assert_allclose(tip_of_skin(server), expected, atol=1e-6)
    slack, taut = (server.scene.get_handle_by_name(f'/tendons/{name}').color for name in ('long_1', 'long_2'))
    assert taut[0] > slack[0] + 30
    assert 'converged' in page._status.content


def test_each_input_has_a_slider_within_its_limits(page, robot):
    assert [slider.label for slider in page._sliders] == [f'{name} [N]' for name in robot.tendon_names]
    assert all((slider.min, slider.max) == (0.0, 6.0) for slider in page._sliders)


def test_the_command_serves_the_page_on_this_machine_until_interrupted():
    script = (
        'import typer; from continua_bringup.show.cli import show; app = typer.Typer(); '
        'app.command()(show); app()'
    )
    process = subprocess.Popen(
        [sys.executable, '-c', script, str(ROBOT_FILE), '--port', '0', '--no-browser'],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        line = process.stdout.readline()
        address = urlparse(next(word for word in line.split() if word.startswith('http')))
        assert address.hostname == '127.0.0.1'
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
        connection.request('GET', '/')
        assert connection.getresponse().status == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()
        process.wait()
