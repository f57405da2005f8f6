"""`continua bench-mocap`: what the mocap driver costs, and how late its topics are, on an emulated server.

Server, driver and listener are three processes on this machine. The latency is from the stamp, the middle of
the exposure, to the listener's callback; the emulated server sends at the exposure, a real one some
milliseconds later.
"""

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from copy import copy
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from continua.devices.natnet_server import emulated_command_port
from continua_msgs.msg import MarkerArray3D
from continua_node import convert, qos
from continua_node.testing import Bench, NodeProcess, executable

__all__ = ['bench_mocap']

_CALIBRATION = (
    'version: 1\ndate: 2026-11-21\nrotation: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\ntranslation: [0, 0, 0]\n'
)
_SCENES = ((4, 1), (30, 5))  # markers, rigid bodies
_QUEUE = 100  # messages for a listener that is paused, so that none is lost there


def bench_mocap(
    robot_file: Annotated[Path, typer.Option(help='Robot whose markers are m0, m1, ...')] = Path(
        'config/robots/tendon_arm.yaml'
    ),
    rate: Annotated[float, typer.Option(help='Frames per second.')] = 240.0,
    seconds: Annotated[float, typer.Option(help='Length of each measurement.')] = 20.0,
) -> None:
    """Measure the mocap driver: rate, latency from exposure to topic, CPU."""
    for markers, bodies in _SCENES:
        typer.echo(f'{markers} markers and {bodies} rigid bodies, {rate:g} Hz, {seconds:g} s')
        for name, value, unit in _measure(robot_file, markers, bodies, rate, seconds):
            typer.echo(f'  {name:40} {value:10.2f} {unit}')


def _measure(
    robot_file: Path, markers: int, bodies: int, rate: float, seconds: float
) -> Iterator[tuple[str, float, str]]:
    """Names, values and units."""
    with ExitStack() as stack:
        bench = stack.enter_context(Bench('/bench'))
        port = emulated_command_port() + bench.domain
        stack.enter_context(_server(port, markers, bodies, rate))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        driver = stack.enter_context(_driver(bench, robot_file, folder, port))
        ages, stamps = _listen(bench)
        bench.wait_until(lambda: len(stamps) > rate, 'the first second')
        ages.clear()
        stamps.clear()
        begin, used = time.monotonic(), _cpu(driver.pid)
        bench.wait_until(lambda: time.monotonic() - begin > seconds, 'the end')
        wall, used = time.monotonic() - begin, _cpu(driver.pid) - used
        steps = np.diff(stamps) * rate
        yield 'received', len(stamps) / wall, 'Hz'
        yield 'frames lost', float(np.sum(np.round(steps) - 1.0)), ''
        yield 'interval of stamps, standard deviation', 1e3 * float(np.std(steps)) / rate, 'ms'
        yield 'stamp to topic, median', 1e3 * float(np.median(ages)), 'ms'
        yield 'stamp to topic, 99 %', 1e3 * float(np.percentile(ages, 99)), 'ms'
        yield 'CPU of the driver', 100.0 * used / wall, '% of a core'


def _server(port: int, markers: int, bodies: int, rate: float) -> NodeProcess:
    command = [sys.executable, '-m', 'continua', 'mocap', '--emulate', '--command-port', str(port)]
    command += ['--markers', str(markers), '--marker-set', 'robot', '--rate', str(rate)]
    for i in range(bodies):
        command += ['--body', 'tip' if i == 0 else f'body {i}']
    return NodeProcess(command, dict(os.environ))


def _driver(bench: Bench, robot_file: Path, folder: Path, port: int) -> NodeProcess:
    calibration = folder / 'mocap.yaml'
    calibration.write_text(_CALIBRATION)
    parameters = {
        'settings_id': 'bench',
        'robot_file': robot_file.resolve(),
        'calibration_file': calibration,
        'marker_set': 'robot',
        'bodies': '["tip_pose=tip"]',
        'command_port': port,
    }
    arguments = [word for name, value in parameters.items() for word in ('-p', f'{name}:={value}')]
    return bench.start(executable('continua_drivers', 'mocap'), *arguments)


def _listen(bench: Bench) -> tuple[list[float], list[float]]:
    """Ages [s] of the markers when they arrive, and their stamps [s], as the bench goes on."""
    ages, stamps = [], []

    def on_markers(message: MarkerArray3D) -> None:
        stamp = convert.from_stamp(message.header.stamp)
        ages.append(bench.node.get_clock().now().nanoseconds * 1e-9 - stamp)
        stamps.append(stamp)

    profile = copy(qos.SENSOR.requested)
    profile.depth = _QUEUE
    bench.node.create_subscription(MarkerArray3D, 'markers', on_markers, profile)
    return ages, stamps


def _cpu(pid: int) -> float:
    """Processor time [s] of a process."""
    fields = Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')
