"""`continua bench-mocap`: what the mocap driver costs, and how late its topics are, on an emulated server.

Server, driver and listener are three processes on this machine. The latency is from the stamp, the middle of
the exposure, to the listener's callback; the emulated server sends at the exposure, a real one some
milliseconds later.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from copy import copy
from pathlib import Path
from typing import Annotated

import numpy as np
import rclpy
import typer

from continua_msgs.msg import MarkerArray3D
from continua_node import convert, qos
from continua_node.spin import EventsExecutor
from continua_node.testing import NodeProcess, executable, free_domain

__all__ = ['bench_mocap']

_CALIBRATION = (
    'version: 1\ndate: 2026-11-21\nrotation: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\ntranslation: [0, 0, 0]\n'
)
_SCENES = ((4, 1), (30, 5))  # markers, rigid bodies
_PORT = 21509
_TIMEOUT = 90.0  # s, reached only where something fails
_QUEUE = 100  # messages for a listener that is paused, so that none is lost there


def bench_mocap(
    robot_file: Annotated[Path, typer.Option(help='Robot whose markers are m0, m1, ...')] = Path(
        'config/robots/tendon_arm.yaml'
    ),
    rate: Annotated[float, typer.Option(help='Frames per second.')] = 240.0,
    seconds: Annotated[float, typer.Option(help='Length of each measurement.')] = 20.0,
) -> None:
    """Measure the mocap driver: rate, latency from exposure to topic, CPU."""
    domain, lock = free_domain()
    environment = os.environ | {'ROS_DOMAIN_ID': str(domain)}
    heard = _Heard(domain)
    for markers, bodies in _SCENES:
        typer.echo(f'{markers} markers and {bodies} rigid bodies, {rate:g} Hz, {seconds:g} s')
        with (
            tempfile.TemporaryDirectory() as folder,
            NodeProcess(_server(markers, bodies, rate), environment),
            NodeProcess(_driver(robot_file, Path(folder)), environment) as driver,
        ):
            for name, value, unit in _measure(heard, driver.pid, rate, seconds):
                typer.echo(f'  {name:40} {value:10.2f} {unit}')
    heard.close()
    os.close(lock)


class _Heard:
    """Ages [s] of the markers when they arrive, and their stamps [s], while it waits."""

    def __init__(self, domain: int) -> None:
        self.ages: list[float] = []
        self.stamps: list[float] = []
        self._context = rclpy.Context()
        self._context.init(domain_id=domain)
        self._node = rclpy.create_node('bench', context=self._context)
        self._executor = EventsExecutor(context=self._context)
        self._executor.add_node(self._node)
        profile = copy(qos.SENSOR.requested)
        profile.depth = _QUEUE
        self._node.create_subscription(MarkerArray3D, 'markers', self._on_markers, profile)

    def close(self) -> None:
        self._executor.shutdown()
        self._node.destroy_node()
        self._context.try_shutdown()

    def wait_until(self, condition: Callable[[], bool], what: str) -> None:
        """Take markers until `condition()`; RuntimeError where that never happens."""
        end = time.monotonic() + _TIMEOUT
        while not condition():
            if time.monotonic() > end:
                raise RuntimeError(f'waited {_TIMEOUT} s for {what}')
            self._executor.spin_once(timeout_sec=0.1)

    def clear(self) -> None:
        self.ages.clear()
        self.stamps.clear()

    def _on_markers(self, message: MarkerArray3D) -> None:
        stamp = convert.from_stamp(message.header.stamp)
        self.ages.append(self._node.get_clock().now().nanoseconds * 1e-9 - stamp)
        self.stamps.append(stamp)


def _measure(heard: _Heard, driver: int, rate: float, seconds: float) -> Iterator[tuple[str, float, str]]:
    """Names, values and units. driver: its process."""
    heard.clear()
    heard.wait_until(lambda: len(heard.stamps) > rate, 'the first second')
    heard.clear()
    begin, used = time.monotonic(), _cpu(driver)
    heard.wait_until(lambda: time.monotonic() - begin > seconds, 'the end')
    wall, used = time.monotonic() - begin, _cpu(driver) - used
    periods = np.diff(heard.stamps) * rate
    yield 'received', len(heard.stamps) / wall, 'Hz'
    yield 'frames missed', float(np.sum(np.round(periods) - 1.0)), ''
    yield 'stamp to topic, median', 1e3 * float(np.median(heard.ages)), 'ms'
    yield 'stamp to topic, 99 %', 1e3 * float(np.percentile(heard.ages, 99)), 'ms'
    yield 'CPU of the driver', 100.0 * used / wall, '% of a core'


def _server(markers: int, bodies: int, rate: float) -> list[str]:
    """Command of the emulated server."""
    command = [sys.executable, '-m', 'continua', 'mocap', '--emulate', '--command-port', str(_PORT)]
    command += ['--markers', str(markers), '--marker-set', 'robot', '--rate', str(rate)]
    for i in range(bodies):
        command += ['--body', 'tip' if i == 0 else f'body {i}']
    return command


def _driver(robot_file: Path, folder: Path) -> list[str]:
    """Command of the driver."""
    calibration = folder / 'mocap.yaml'
    calibration.write_text(_CALIBRATION)
    parameters = {
        'settings_id': 'bench',
        'robot_file': robot_file.resolve(),
        'calibration_file': calibration,
        'marker_set': 'robot',
        'bodies': '["tip_pose=tip"]',
        'command_port': _PORT,
    }
    arguments = [word for name, value in parameters.items() for word in ('-p', f'{name}:={value}')]
    return [*executable('continua_drivers', 'mocap'), '--ros-args', *arguments]


def _cpu(pid: int) -> float:
    """Processor time [s] of a process."""
    fields = Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')
