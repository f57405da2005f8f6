"""The real simulator and the real console: what RViz gets of linkages is where the library puts them."""

from pathlib import Path

import numpy as np
import pytest
from visualization_msgs.msg import MarkerArray

from continua.description import load_robot
from continua.rod import Rod
from continua_msgs.msg import MarkerArray3D, RodState, TendonCommand
from continua_node import convert, qos
from continua_node.testing import Bench, executable

CONFIG = Path(__file__).resolve().parents[4] / 'config'


class Watch:
    """What simulator and console of a robot say while its first tendon, if it has one, is pulled with 5 N."""

    def __init__(self, bench: Bench, name: str) -> None:
        self.bench, self.robot_file = bench, CONFIG / 'robots' / f'{name}.yaml'
        self.rod = Rod(load_robot(self.robot_file))
        self.states: list[RodState] = bench.collect(RodState, 'truth/state', qos.STATE, depth=500)
        self.seen: list[MarkerArray3D] = bench.collect(MarkerArray3D, 'markers', qos.SENSOR)
        self.drawings: list[MarkerArray] = bench.collect(MarkerArray, 'visualization', qos.STATE)
        self._pulled = self.rod.robot.tendon_names[:1]
        if self._pulled:
            self._command = bench.node.create_publisher(TendonCommand, 'tendon/command', qos.COMMAND.offered)
            bench.node.create_timer(0.02, self._pull)

    def start(self, package: str, node: str, *parameters: str):
        settings = ['--params-file', str(CONFIG / 'nodes' / f'{node}.yaml')]
        arguments = [word for parameter in parameters for word in ('-p', parameter)]
        return self.bench.start(
            executable(package, node), *settings, '-p', f'robot_file:={self.robot_file}', *arguments
        )

    def newest_pair(self) -> tuple[np.ndarray, list] | None:
        """The newest drawn markers, and the coordinates at their stamp."""
        if not self.drawings:
            return None
        markers = self.drawings[-1].markers
        drawn = convert.from_stamp(markers[0].header.stamp)
        for state in self.states[-500:]:
            if abs(convert.from_stamp(state.header.stamp) - drawn) < 1e-6:
                return np.array(state.q), markers
        return None

    def _pull(self) -> None:
        stamp = self.bench.node.get_clock().now().to_msg()
        self._command.publish(convert.tendon_command_to_msg(stamp, self._pulled, [5.0]))


@pytest.mark.parametrize('name', ['six_tendon_arm', 'hyper_redundant_arm', 'soft_legged_platform'])
def test_rviz_gets_every_link_where_the_simulated_robot_has_it(name):
    with Bench(f'/{name}') as bench:
        watch = Watch(bench, name)
        rod = watch.rod
        tip = rod.sampler(np.array([rod.length]))

        def has_moved() -> bool:
            """The platform, without tendons, only carries its weight."""
            begin, now = (tip.poses(np.array(state.q))[1] for state in (watch.states[0], watch.states[-1]))
            return rod.n_tendons == 0 or np.linalg.norm(now - begin) > 0.02

        with (
            watch.start(
                'continua_simulation', 'simulation', 'autostart:=true', 'marker_noise:=0.0'
            ) as simulator,
            watch.start('continua_bringup', 'console', 'port:=0') as console,
        ):
            bench.wait_until(lambda: watch.states and has_moved(), 'the tip to move 2 cm')
            watch.drawings.clear()
            bench.wait_until(lambda: watch.newest_pair() and watch.seen, 'a drawing of a state')
            q, markers = watch.newest_pair()
            assert console.stop() == 0, console.output()
            assert simulator.stop() == 0, simulator.output()
            assert 'Error' not in simulator.output() + console.output()
    corners = {
        marker.ns: np.array([[p.x, p.y, p.z] for p in marker.points]).reshape(-1, 3) for marker in markers
    }
    assert list(corners) == ['truth/soft', 'truth/rigid', 'truth/tendons', 'truth/points']
    for link in rod.robot.links:
        # both ends of a link are corners of its skin
        ends = rod.shape(q, np.array([0.0, link.length]), link.name).position
        skin = corners['truth/soft' if link.type == 'soft' else 'truth/rigid']
        assert np.linalg.norm(skin[:, None] - ends, axis=2).min(axis=0).max() < 1e-9, link.name
    assert (len(corners['truth/tendons']) > 0) == bool(rod.robot.tendons)
    for marker, point in zip(rod.robot.markers, corners['truth/points'], strict=True):
        section = rod.shape(q, np.array([marker.arc_length]), marker.link).position[0]
        assert np.linalg.norm(point - section) == pytest.approx(np.linalg.norm(marker.offset), abs=1e-9)
    if rod.n_constraints:
        np.testing.assert_allclose(rod.constraint_error(q), 0.0, atol=1e-6)
        # the platform stands still: the simulated motion capture sees its markers at the same places
        seen, valid = convert.markers_from_msg(watch.seen[-1], rod.robot.marker_names)
        np.testing.assert_allclose(seen[valid], corners['truth/points'][valid], atol=1e-4)
        assert valid.any()
