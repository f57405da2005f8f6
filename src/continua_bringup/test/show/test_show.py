"""The page of `continua show`: what it draws and how it follows the sliders; no browser needed."""

import http.client
import io
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlparse

import numpy as np
import pytest
from PIL import Image

from continua.description import load_robot, parse_robot
from continua.rod import Rod
from continua_bringup.console import screenshot
from continua_bringup.console.server import open_server
from continua_bringup.show.page import Page

ROBOT_FILE = Path(__file__).resolve().parents[4] / 'config/robots/tendon_arm.yaml'

CRANE = """
version: 1
name: crane
links:
  - name: boom
    type: rigid
    length: 0.5
    body: {type: solid, section: {shape: rectangular, width: 0.05, height: 0.04}, density: 500.0}
    joint: {type: revolute, axis: [0, 1, 0], stiffness: 40.0}
  - name: finger
    parent: boom
    type: soft
    length: 0.2
    section: {shape: circular, radius: 0.01}
    material: {density: 1000.0, youngs_modulus: 1.0e6, poisson_ratio: 0.5, damping: 1.0e3}
    strain_basis: {type: legendre, order: {bending_z: 0}}
    joint: {type: revolute, axis: [1, 0, 0]}
tendons:
  - name: cable
    type: points
    points:
      - {link: boom, arc_length: 0.0, offset: [0.02, 0.0]}
      - {link: finger, arc_length: 0.2, offset: [0.005, 0.0]}
    limits: {tension: [0.0, 10.0]}
drives:
  - {name: turn, joint: finger, type: position, limits: {position: [-1.0, 1.0]}}
  - {name: lift, joint: boom, type: force, limits: {effort: [-20.0, 20.0]}}
"""


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
    return Page(server, robot, np.array([2.0, 0, 0, 0, 0, 0]), np.zeros(0), gravity=True)


def tip_of_skin(server):
    """The middle of the tip: 41 rings of 24 and the base's middle come before."""
    return np.asarray(server.scene.get_handle_by_name('/links/soft').vertices)[41 * 24 + 1]


def test_the_skin_stands_at_the_equilibrium(page, server, robot):
    rod = Rod(robot)
    q = rod.statics(np.array([2.0, 0, 0, 0, 0, 0])).q
    tip = rod.shape(q, np.array([rod.length])).position[0]
    np.testing.assert_allclose(tip_of_skin(server), tip, atol=1e-6)
    line = server.scene.get_handle_by_name('/tendons/long_1').points
    np.testing.assert_allclose(np.linalg.norm(line[-1, 1] - tip), 0.003, atol=1e-6)


def test_sliders_and_gravity_move_it(page, server, robot):
    page._sliders[0].value, page._sliders[1].value = 0.0, 3.0
    page._gravity.value = False
    page.update()
    rod = Rod(robot)
    q = rod.statics(np.array([0, 3.0, 0, 0, 0, 0]), gravity=False).q
    expected = rod.shape(q, np.array([rod.length])).position[0]
    np.testing.assert_allclose(tip_of_skin(server), expected, atol=1e-6)
    slack, taut = (
        server.scene.get_handle_by_name(f'/tendons/{name}').colors for name in ('long_1', 'long_2')
    )
    assert np.all(taut[..., 0] > slack[..., 0].max() + 30)
    assert 'converged' in page._status.content


def test_each_input_has_a_slider_within_its_limits(page, robot):
    assert [slider.label for slider in page._sliders] == [f'{name} [N]' for name in robot.tendon_names]
    assert all((slider.min, slider.max) == (0.0, 6.0) for slider in page._sliders)


def test_a_hybrid_robot_has_cables_disks_and_drives(server):
    robot = parse_robot(CRANE)
    page = Page(server, robot, np.array([0.0, 8.0]), np.array([0.5]), gravity=False)
    assert [slider.label for slider in page._sliders] == ['cable [N]', 'lift [N m, N]', 'turn [rad, m]']
    np.testing.assert_allclose(page.q, [0.2, 0.5, 0.0], atol=1e-9)
    box = np.asarray(server.scene.get_handle_by_name('/links/rigid').vertices)
    assert len(box) == 3 * (2 * 4 + 2 * 4)  # corners of triangles, so that edges are sharp
    end = 0.5 * np.array([np.cos(0.2), 0.0, -np.sin(0.2)])
    np.testing.assert_allclose(box[-3], end, atol=1e-6)
    line = np.asarray(server.scene.get_handle_by_name('/tendons/cable').points)
    np.testing.assert_allclose(line[0, 0], [0.0, 0.02, 0.0], atol=1e-6)


def test_a_platform_on_closed_loops_stands_with_its_markers_and_no_sliders(server):
    robot = load_robot(ROBOT_FILE.with_name('soft_legged_platform.yaml'))
    page = Page(server, robot, np.zeros(0), np.zeros(0), gravity=True)
    assert 'converged' in page._status.content and page._sliders == []
    rod = Rod(robot)
    q = rod.statics().q
    legs = np.asarray(server.scene.get_handle_by_name('/links/soft').vertices)
    feet = [rod.shape(q, np.array([0.3]), leg).position[0] for leg in ('leg_1', 'leg_2')]
    for foot in feet:
        assert np.linalg.norm(legs - foot, axis=1).min() < 1e-6
    markers = server.scene.get_handle_by_name('/markers').batched_positions
    for marker, place in zip(robot.markers, markers, strict=True):
        section = rod.shape(q, np.array([marker.arc_length]), marker.link).position[0]
        assert np.linalg.norm(place - section) == pytest.approx(np.linalg.norm(marker.offset), abs=1e-6)


@pytest.mark.skipif(
    not (shutil.which('chromium') and shutil.which('chromedriver')),
    reason='chromium is not installed: apt-get install chromium chromium-driver',
)
def test_a_browser_draws_the_blue_legs_and_the_grey_frame_of_the_platform(server, tmp_path):
    robot = load_robot(ROBOT_FILE.with_name('soft_legged_platform.yaml'))
    Page(server, robot, np.zeros(0), np.zeros(0), gravity=True)
    driver = screenshot.open_browser(str(tmp_path), width=1100, height=700)
    try:
        driver.get(f'http://127.0.0.1:{server.get_port()}')

        def is_drawn() -> bool:
            canvas = driver.find_elements('css selector', 'canvas[data-engine]')
            if not canvas or 'converged in' not in driver.execute_script('return document.body.innerText'):
                return False
            picture = Image.open(io.BytesIO(canvas[0].screenshot_as_png)).convert('RGB')
            red, green, blue = np.moveaxis(np.asarray(picture).astype(int), -1, 0)
            legs = (blue > red + 50) & (green > red + 10) & (blue > green + 25) & (blue < 245)
            # where the columns of legs are: three of them with white in between
            columns = legs.sum(axis=0) > 30
            return legs.sum() > 3000 and np.count_nonzero(np.diff(columns.astype(int)) == 1) >= 2

        end = time.monotonic() + 90.0
        while not is_drawn():
            assert time.monotonic() < end, 'waited 90 s for three legs'
            time.sleep(0.1)
        assert 'Inputs' not in driver.execute_script('return document.body.innerText')
    finally:
        driver.quit()


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
