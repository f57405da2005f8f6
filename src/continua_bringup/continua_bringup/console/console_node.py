"""Operator console: a page in the browser that shows the arm and sends what the operator asks for.

Inputs: estimate/{shape,state}, truth/{shape,state}, markers, tendon/state, control/status, /diagnostics; late
data turn grey. A robot is drawn at its state, or as its shape tells where no state of the file's model comes.
Outputs: tendon/command while manual control is on, visualization for RViz; services of robot and player.
Manual control ends when no browser shows the page for `release_after` s; then the robot goes slack.
"""

import time

import numpy as np
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from visualization_msgs.msg import MarkerArray

from continua.description import load_robot
from continua.rod import Rod
from continua.rod.drawing import Drawing, draw, draw_shape
from continua_bringup.console import status
from continua_bringup.console.controls import Controls
from continua_bringup.console.feed import Feed, Newest
from continua_bringup.console.panel import Panel
from continua_bringup.console.presence import Presence
from continua_bringup.console.scene import ESTIMATE, TRUTH, Scene
from continua_bringup.console.server import open_server
from continua_bringup.console.status import Row
from continua_node import convert, params, qos, spin
from continua_node.diagnostics import Diagnostics
from continua_node.visualization import drawing_to_markers

COMMAND_RATE = 50.0  # Hz: five commands in every watchdog of the drivers
WRITE_RATE = 5.0  # Hz of plots and lines of text
RVIZ_RATE = 10.0  # Hz of the visualization topic
RVIZ_DETAIL = {'stations': 21, 'sides': 12}  # its messages are packed corner by corner
PARAMETERS = [
    params.ROBOT_FILE,
    params.Parameter('host', '127.0.0.1', 'address on which the page is served; another one lets others in'),
    params.Parameter('port', 8080, 'port of the page; 0 takes any free one', range=(0, 65535)),
    params.Parameter('frame_rate', 25.0, 'how often the 3D view changes', 'Hz', range=(1.0, COMMAND_RATE)),
    params.Parameter('plot_window', 20.0, 'time shown in the plots', 's', range=(1.0, 600.0)),
    params.Parameter('stale_after', 1.0, 'age at which data count as missing', 's', range=(0.1, 60.0)),
    params.Parameter(
        'release_after',
        1.0,
        'manual control ends when no browser shows the page for so long',
        's',
        range=(0.1, 60.0),
    ),
]


class ConsoleNode(Node):
    """Wires the page to the robot's topics and services."""

    def __init__(self) -> None:
        super().__init__('console')
        self.settings = settings = params.declare(self, PARAMETERS)
        robot = load_robot(settings.robot_file)
        self._rod = Rod(robot)
        self._tendons = list(robot.tendon_names)

        self._server = open_server(settings.host, settings.port, f'continua: {robot.name}')
        self._presence = Presence(self._server)
        self._scene = Scene(self._server, robot, draw(self._rod, np.zeros(self._rod.dof)))
        self._panel = Panel(self._server, robot, settings.plot_window)

        self.diagnostics = Diagnostics(self)
        self._feed = Feed(self, self._rod, self.diagnostics)
        self._controls = Controls(self, self._panel, self._feed, self._tendons, settings.release_after)
        self._visualization = self.create_publisher(MarkerArray, 'visualization', qos.STATE.offered)

        self._started = time.monotonic()
        self._ticks = 0
        # The operator's hand does not stop with simulated time: everything here runs on the steady clock.
        self.create_timer(1.0 / COMMAND_RATE, self._step, clock=Clock(clock_type=ClockType.STEADY_TIME))
        self.get_logger().info(f'console: http://{settings.host}:{self._server.get_port()}')

    def close(self) -> None:
        """Take the page down; without commands of the console the robot goes slack by itself."""
        self._server.stop()

    def _step(self) -> None:
        start = time.perf_counter()
        self._controls.step(self._presence.absence())
        for rate, work in (
            (self.settings.frame_rate, self._draw),
            (WRITE_RATE, self._write),
            (RVIZ_RATE, self._show_rviz),
        ):
            if self._ticks % round(COMMAND_RATE / rate) == 0:
                work()
        self._ticks += 1
        self.diagnostics.tick(time.perf_counter() - start)

    def _is_fresh(self, newest: Newest) -> bool:
        return newest.age < self.settings.stale_after

    def _drawing(self, shape: Newest, q: Newest, **detail: int) -> Drawing:
        """The robot at its coordinates, or, where these are missing or old, as its shape tells."""
        if self._is_fresh(q):
            return draw(self._rod, q.value, **detail)
        return draw_shape(self._rod.robot, shape.value, **detail)

    def _is_watched(self) -> bool:
        return self._presence.absence() < self.settings.stale_after

    def _draw(self) -> None:
        """Sample the plots, and draw the 3D view where somebody looks at it."""
        feed = self._feed
        self._sample()
        if not self._is_watched():
            self._scene.clear_trail()
            return
        if self._is_fresh(feed.estimate):
            drawing = self._drawing(feed.estimate, feed.estimate_q)
            self._scene.show_estimate(drawing, feed.estimate.value.position[-1])
        if self._is_fresh(feed.truth):
            drawing = self._drawing(feed.truth, feed.truth_q)
            self._scene.show_truth(drawing)
            if not self._is_fresh(feed.estimate):
                self._scene.show_tendons(drawing)
        if self._is_fresh(feed.tendons):
            self._scene.show_tension(feed.tendons.value.tension)
        if feed.markers.value is not None:
            position, valid = feed.markers.value
            self._scene.show_markers(position, valid & self._is_fresh(feed.markers))
        self._scene.show_freshness(self._is_fresh(feed.estimate), self._is_fresh(feed.truth))

    def _sample(self) -> None:
        """One sample of each plotted curve for which there are fresh data."""
        now, plots = time.monotonic() - self._started, self._panel.plots
        if self._tendons and self._is_fresh(self._feed.tendons):
            tendons = self._feed.tendons.value
            plots.tension.add(now, *tendons.tension, *tendons.command)
        if self._is_fresh(self._feed.estimate):
            plots.tip_error.add(now, 1e3 * self._feed.tip_error())
            plots.latency.add(now, 1e3 * self._feed.estimate.latency)

    def _write(self) -> None:
        """Bring plots and lines of text up to date, where somebody looks."""
        if not self._is_watched():
            return
        self._panel.show_alarm(self._controls.alarm())
        feed, now = self._feed, time.monotonic()
        rows = [
            self._data_row('estimate', feed.estimate),
            self._data_row('truth', feed.truth),
            self._controls.row(),
        ]
        if self._is_fresh(feed.tendons):
            rows.append(status.fault_row(self._tendons, feed.tendons.value.fault))
        else:
            rows.append(self._data_row('tendons', feed.tendons))
        if self._is_fresh(feed.control):
            rows.append(status.control_row(feed.control.value))
        self._panel.show_state(rows)
        self._panel.show_nodes(
            [status.node_row(said, now - at) for _, (said, at) in sorted(feed.nodes.items())]
        )
        self._panel.plots.draw()

    def _show_rviz(self) -> None:
        """Publish both robots as markers, where somebody subscribed."""
        if self._visualization.get_subscription_count() == 0:
            return
        for name, shape, q, color in (
            ('estimate', self._feed.estimate, self._feed.estimate_q, ESTIMATE),
            ('truth', self._feed.truth, self._feed.truth_q, TRUTH),
        ):
            if self._is_fresh(shape):
                colour = (*(channel / 255 for channel in color), 0.6)
                stamp = convert.to_stamp(q.stamp if self._is_fresh(q) else shape.stamp)
                drawing = self._drawing(shape, q, **RVIZ_DETAIL)
                self._visualization.publish(drawing_to_markers(drawing, stamp, 'world', name, colour))

    def _data_row(self, name: str, newest: Newest) -> Row:
        if newest.value is None:
            return Row('stale', name, 'nothing received')
        if not self._is_fresh(newest):
            return Row('error', name, f'silent for {newest.age:.0f} s')
        return Row('ok', name, f'arrives {1e3 * newest.latency:.1f} ms after its stamp')


def main() -> int:
    """Run the console."""
    return spin.spin(ConsoleNode)
