"""Records the robot's topics into a bag: MCAP in a rosbag2 folder, readable even after a kill.

Inputs: every topic under the robot's namespace and the standard ones, with the QoS that their publishers
offer. Outputs: the folder `bag_dir`, with robot.yaml and parameters.yaml in it; /diagnostics.
What is lost on the way or dropped for a slow disk is counted, in /diagnostics and in the bag's metadata.
"""

import json
import os
import shutil
import socket
from pathlib import Path
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.node import Node

from continua.description import load_robot
from continua.io.bag import BagWriter
from continua.io.metadata import to_yaml
from continua.io.provenance import software_version
from continua.io.recording import Recording
from continua_bringup.recorder.parameter_collector import ParameterCollector
from continua_bringup.recorder.tap import Tap
from continua_node import diagnostics, params, spin
from continua_node.params import Parameter

__all__ = ['RecorderNode', 'main']

_TAKE_RATE = 50.0  # [Hz]
_DISCOVERY_PERIOD = 10  # takes
_STANDARD_TOPICS = ['/diagnostics', '/clock', '/tf', '/tf_static', '/rosout', '/parameter_events']
PARAMETERS = [
    params.ROBOT_FILE,
    Parameter('bag_dir', str, 'folder of the bag, which must not exist yet'),
    Parameter(
        'topics',
        ['*', *_STANDARD_TOPICS],
        "topics to record; without a leading slash in the robot's namespace; * stands for anything",
    ),
    Parameter('exclude', ['visualization'], 'topics not to record although they are among these, likewise'),
]


class RecorderNode(Node):
    """Wires the tap on the graph to the background writer of the bag."""

    def __init__(self) -> None:
        super().__init__('recorder')
        settings = params.declare(self, PARAMETERS)
        robot = load_robot(settings.robot_file)

        custom_data = {
            'robot': robot.name,
            'robot_hash': robot.hash,
            'settings_id': settings.settings_id,
            'software': software_version(),
            'host': socket.gethostname(),
        }
        bag = BagWriter(settings.bag_dir, custom_data, os.environ.get('ROS_DISTRO', 'unknown'))
        self._folder: Path = bag.folder
        shutil.copyfile(settings.robot_file, self._folder / 'robot.yaml')
        self._recording = Recording(bag)

        self.diagnostics = diagnostics.Diagnostics(self)
        self._tap = Tap(self, settings.topics, settings.exclude, self._recording, self._on_refused)
        self._collector = ParameterCollector(self, self._write_parameters)
        self._ticks = 0
        # Recording does not stop with simulated time.
        self.create_timer(1.0 / _TAKE_RATE, self._step, clock=Clock(clock_type=ClockType.STEADY_TIME))
        self.get_logger().info(f'recording into {self._folder}')

    def close(self) -> None:
        """Take what has arrived and finish the bag."""
        self._tap.close()
        self._report()
        self._recording.close()
        total = {name: sum(counts.values()) for name, counts in self._losses().items()}
        if self._recording.error:
            self.get_logger().error(self._recording.error)
        self.get_logger().info(
            f'{self._folder}: finished; {total["lost"]} messages lost, {total["dropped"]} dropped'
        )

    def _step(self) -> None:
        self._tap.take()
        if self._ticks % _DISCOVERY_PERIOD == 0:
            self._tap.discover()
            self._collector.discover()
            self._report()
        self._ticks += 1

    def _losses(self) -> dict[str, dict[str, int]]:
        return {'lost': self._tap.lost, 'dropped': self._recording.dropped}

    def _report(self) -> None:
        """Say in the bag and in /diagnostics what is missing."""
        losses = self._losses()
        self._recording.set_custom_data(**{name: json.dumps(counts) for name, counts in losses.items()})
        for name, counts in losses.items():
            new = sum(counts.values()) - self.diagnostics.counts[name]
            if new:
                self.diagnostics.count(name, new)
        if self._recording.error:
            self.diagnostics.set_state(diagnostics.ERROR, self._recording.error)
        else:
            self.diagnostics.set_state(diagnostics.OK, f'recording {len(self._tap.topics)} topics')

    def _on_refused(self, sentence: str) -> None:
        self.diagnostics.count('refused_topics')
        self.get_logger().warning(sentence)

    def _write_parameters(self, values: dict[str, dict[str, Any]]) -> None:
        content = {node: {'ros__parameters': parameters} for node, parameters in values.items()}
        new = self._folder / 'parameters.yaml.new'
        new.write_text(to_yaml(content), encoding='utf-8')
        new.replace(self._folder / 'parameters.yaml')


def main() -> int:
    return spin.spin(RecorderNode)
