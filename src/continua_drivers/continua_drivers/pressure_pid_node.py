"""Holds the pressures of chambers with their valves: PID from setpoints and measured pressures to openings.

Inputs: pressure/command, pressure/state. Output: valve/command.
The valve driver must take openings (pid:=node); with pid:=board the same controller runs on the valve board.
Without a fresh pressure/command or pressure/state for `watchdog` seconds the valves are told once to vent;
then the driver, without a command, says so in its state.
"""

import math

import numpy as np
from rclpy.node import Node

from continua.control.pid import Pid
from continua.control.safety import OPENING, PRESSURE
from continua.control.safety import State as SafetyState
from continua.description import load_robot
from continua_drivers.pid_parameters import PID_PARAMETERS, gains
from continua_msgs.msg import PressureState, ValveCommand
from continua_node import convert, convert_chambers, diagnostics, params, qos, spin
from continua_node.params import Parameter
from continua_node.pressure_interface import ChamberCommands

PARAMETERS = [
    params.ROBOT_FILE,
    Parameter('rate', 200.0, 'openings per second', 'Hz', range=(20.0, 500.0)),
    Parameter('watchdog', 0.1, 'vent after this time without a setpoint or a state', 's', range=(0.02, 1.0)),
    *PID_PARAMETERS,
]


class PressurePidNode(Node):
    """Wires `continua.control.pid` to the topics of the chambers."""

    def __init__(self) -> None:
        super().__init__('pressure_pid')
        settings = params.declare(self, PARAMETERS)
        chambers = load_robot(settings.robot_file).chambers
        self._names = [chamber.name for chamber in chambers]
        self._watchdog = settings.watchdog
        self._pid = Pid(gains(settings), len(self._names))
        self.diagnostics = diagnostics.Diagnostics(self)
        self._commands = ChamberCommands(self, chambers, settings.watchdog, self.diagnostics, PRESSURE)
        self._commands.enable()  # the driver is what is enabled and stopped
        self._pressure: np.ndarray | None = None
        self._may_control = False  # the driver applies what it is told
        self._last_state = self._last_step = -math.inf
        self._is_venting = True
        self._openings = self.create_publisher(ValveCommand, 'valve/command', qos.COMMAND.offered)
        self.create_subscription(PressureState, 'pressure/state', self._on_state, qos.SENSOR.requested)
        self.diagnostics.timer(1.0 / settings.rate, self._step, steady=True)

    def close(self) -> None:
        """Vent when the controller goes."""
        if not self._is_venting:
            spin.deliver(self._openings, self._command(self._vented()))

    def _on_state(self, message: PressureState) -> None:
        try:
            state = convert_chambers.pressure_state_from_msg(message, self._names)
        except convert.Rejected as error:
            self.diagnostics.count(f'rejected_{error.reason}')
            return
        self._pressure = state.pressure
        self._may_control = not state.fault.any()
        self._last_state = self.diagnostics.now()

    def _step(self) -> None:
        now = self.diagnostics.now()
        setpoint = self._commands.setpoint()
        age, dt = now - self._last_state, now - self._last_step
        self._last_step = now
        self.diagnostics.input_age('pressure/state', age)
        is_late = age > self._watchdog
        if is_late or self._commands.safety.state is not SafetyState.ENABLED:
            self._vent()
            late = (diagnostics.WARN, 'vented: no fresh pressure/state')
            self.diagnostics.set_state(*(late if is_late else self._commands.state))
            return
        if not self._may_control or self._is_venting:
            self._pid.reset()  # what was integrated while the valves did not obey means nothing
        self._is_venting = False
        opening = self._pid.step(setpoint.value, self._pressure, dt)
        self._openings.publish(self._command(opening))
        self.diagnostics.set_state(diagnostics.OK, 'holding the pressures')

    def _vent(self) -> None:
        """Say it once: a driver that hears nothing more reports the watchdog."""
        if not self._is_venting:
            self._openings.publish(self._command(self._vented()))
        self._is_venting = True

    def _vented(self) -> np.ndarray:
        return np.full(len(self._names), OPENING.rest)

    def _command(self, opening: np.ndarray) -> ValveCommand:
        return convert_chambers.opening_command_to_msg(self.get_clock().now().to_msg(), self._names, opening)


def main() -> int:
    return spin.spin(PressurePidNode)
