"""Does what the operator asks for: services of the robot, manual tensions, emergency stop."""

import numpy as np
from rclpy.node import Node
from std_srvs.srv import SetBool, Trigger

from continua_bringup.console import status
from continua_bringup.console.feed import Feed
from continua_bringup.console.manual import ManualControl, State
from continua_bringup.console.panel import Panel
from continua_bringup.console.services import ServiceCalls
from continua_bringup.console.status import Row
from continua_msgs.msg import TendonCommand
from continua_node import convert, qos

__all__ = ['Controls']

PLAYER = 'reference_player/enable'
SERVICES = {'enable': SetBool, PLAYER: SetBool, 'emergency_stop': Trigger, 'reset': Trigger}
PATIENCE = 2.0  # s for a service to answer


class Controls:
    """Takes the requests out of the panel; `step` is called at the rate of the tendon commands.

    release_after: [s] without anybody looking after which manual control ends.
    """

    def __init__(
        self, node: Node, panel: Panel, feed: Feed, tendons: list[str], release_after: float
    ) -> None:
        self._node, self._panel, self._feed, self._tendons = node, panel, feed, tendons
        self._manual = ManualControl(release_after)
        self._wants_stop = False
        self._services = ServiceCalls(node, PATIENCE)
        for name, kind in SERVICES.items():
            self._services.offer(name, kind)
        self._publisher = node.create_publisher(TendonCommand, 'tendon/command', qos.COMMAND.offered)

    def step(self, absence: float) -> None:
        """Act on requests, guard manual control, publish its tensions; nobody has looked for `absence` s."""
        while not self._panel.requests.empty():
            getattr(self, f'_{self._panel.requests.get()}')()
        self._services.expire()
        if self._wants_stop and not self._services.is_pending('emergency_stop'):
            self._services.call('emergency_stop', self._on_stopped)
        if self.is_latched():
            self._end_manual()
        if self._manual.watch(absence):
            self._panel.show_manual(False)
            self._panel.show_result(
                False, 'manual control ended: no browser showed the page; the robot went slack'
            )
        if self._manual.state is State.ON:
            stamp = self._node.get_clock().now().to_msg()
            self._publisher.publish(
                convert.tendon_command_to_msg(stamp, self._tendons, self._panel.tension())
            )

    def is_latched(self) -> bool:
        """Whether the robot reports a latched emergency stop."""
        tendons = self._feed.tendons.value
        return tendons is not None and status.is_latched(tendons.fault)

    def alarm(self) -> str:
        """The sentence that the operator must not miss; empty when there is none."""
        if self._wants_stop:
            return 'STOP NOT CONFIRMED, repeating: use the hardware switch'
        return 'EMERGENCY STOP IS LATCHED: tendons are slack' if self.is_latched() else ''

    def row(self) -> Row:
        """Who commands the tendons."""
        if self._manual.state is not State.OFF:
            return Row(
                'warn',
                'command',
                'manual control' if self._manual.state is State.ON else 'pausing the player',
            )
        if self._manual.has_paused_player:
            return Row(
                'warn', 'command', 'none; the player is paused: switch manual control on and off to resume it'
            )
        return Row('ok', 'command', 'reference player or controller')

    def _emergency_stop(self) -> None:
        self._end_manual()
        self._wants_stop = True  # repeated by `step` until it is confirmed

    def _on_stopped(self, succeeded: bool, sentence: str) -> None:
        self._wants_stop = self._wants_stop and not succeeded
        self._panel.show_result(succeeded, sentence)

    def _reset(self) -> None:
        self._wants_stop = False
        self._services.call('reset', self._panel.show_result)

    def _enable(self) -> None:
        self._services.call('enable', self._panel.show_result, data=True)

    def _disable(self) -> None:
        self._end_manual()
        self._services.call('enable', self._panel.show_result, data=False)

    def _manual_on(self) -> None:
        if self.is_latched() or self._wants_stop:
            self._panel.show_manual(False)
            self._panel.show_result(False, 'manual control: the emergency stop is latched; reset it first')
            return
        self._manual.ask()
        if self._services.is_offered(PLAYER):
            self._services.call(PLAYER, self._on_player_paused, data=False)
        else:
            self._begin_manual(has_paused_player=False)

    def _on_player_paused(self, succeeded: bool, sentence: str) -> None:
        self._panel.show_result(succeeded, sentence)
        if succeeded:
            self._begin_manual(has_paused_player=True)
        else:
            self._end_manual()

    def _begin_manual(self, has_paused_player: bool) -> None:
        self._manual.begin(has_paused_player)
        if self._manual.state is State.ON:
            # The sliders start at the applied tensions, so that taking over does not make the robot jump.
            tendons = self._feed.tendons.value
            self._panel.set_tension(np.zeros(len(self._tendons)) if tendons is None else tendons.command)
            self._panel.show_manual(True)

    def _end_manual(self) -> None:
        """Command nothing any more; the player stays as it is."""
        if self._manual.state is not State.OFF:
            self._manual.end()
            self._panel.show_manual(False)

    def _manual_off(self) -> None:
        self._end_manual()
        if self._manual.resume_player():
            self._services.call(PLAYER, self._panel.show_result, data=True)
