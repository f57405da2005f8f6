"""The chambers of the simulator over topics: pressures, valves, watchdog, refusals, faults; with tendons."""

from pathlib import Path

import numpy as np
import pytest
from ament_index_python.packages import get_package_share_directory
from std_srvs.srv import SetBool, Trigger

from continua.description import load_robot
from continua_msgs.msg import PressureCommand, PressureState, TendonCommand, TendonState, ValveCommand
from continua_msgs.srv import InjectFault
from continua_node import convert, convert_chambers, qos
from continua_node.testing import Bench, executable

CONFIG = Path(get_package_share_directory('continua_bringup'), 'config')
ROBOT = CONFIG / 'robots' / 'pneumatic_arm.yaml'
NAMES = list(load_robot(ROBOT).chamber_names)
TENDONS = """
tendons:
  - name: east
    link: arm
    range: [0.0, 0.1249]
    path: {type: linear, start: [0.0, 0.015]}
    limits: {tension: [0.0, 5.0]}
"""
PRESSURE = [40e3, 20e3, 0.0]
# A busy machine pauses the bench; what is tested is that the watchdog acts, not how early.
WATCHDOG = 'watchdog:=0.5'


@pytest.fixture
def bench():
    with Bench('/pneumatic_arm') as bench:
        yield bench


@pytest.fixture
def states(bench):
    return bench.collect(PressureState, 'pressure/state', qos.SENSOR)


def start(bench, *parameters, robot=ROBOT):
    arguments = ['--params-file', str(CONFIG / 'nodes' / 'simulation.yaml')]
    for parameter in (f'robot_file:={robot}', WATCHDOG, *parameters):
        arguments += ['-p', parameter]
    return bench.start(executable('continua_simulation', 'simulation'), *arguments)


def play(bench, message_type, topic, make):
    """Publishes `make(stamp)` at 50 Hz for as long as the bench waits; the timer."""
    publisher = bench.node.create_publisher(message_type, topic, qos.COMMAND.offered)
    clock = bench.node.get_clock()
    return bench.node.create_timer(0.02, lambda: publisher.publish(make(clock.now().to_msg())))


def command(bench, pressure=PRESSURE):
    def make(stamp):
        return convert_chambers.pressure_command_to_msg(stamp, NAMES, pressure)

    return play(bench, PressureCommand, 'pressure/command', make)


def reached(states, pressure=PRESSURE):
    return lambda: states and np.allclose(states[-1].pressure, pressure, atol=1e3)


def test_pressures_are_reached_and_vented_by_the_watchdog(bench, states):
    with start(bench) as node:
        timer = command(bench)
        bench.wait_until(reached(states), 'the pressures')
        state = states[-1]
        assert list(state.name) == NAMES and list(state.command) == PRESSURE
        assert not any(state.fault) and not any(state.is_saturated) and len(state.opening) == 0
        bench.node.destroy_timer(timer)
        bench.wait_until(
            lambda: all(f == PressureState.FAULT_WATCHDOG for f in states[-1].fault), 'the watchdog'
        )
        assert not any(states[-1].command)
        bench.wait_until(reached(states, [0.0] * 3), 'vented chambers')
        command(bench)
        bench.wait_until(reached(states), 'the pressures again')
        assert node.stop() == 0


def test_openings_fill_and_the_services_vent(bench, states):
    with start(bench, 'chamber_input:=valve'):

        def make(stamp):
            return convert_chambers.opening_command_to_msg(stamp, NAMES, [0.1, 0.0, -1.0])

        play(bench, ValveCommand, 'valve/command', make)
        bench.wait_until(lambda: states and states[-1].pressure[0] > 20e3, 'a filling chamber')
        np.testing.assert_allclose(states[-1].opening, [0.1, 0.0, -1.0])
        assert bench.call(Trigger, 'emergency_stop').success
        bench.wait_until(
            lambda: all(f & PressureState.FAULT_EMERGENCY_STOP for f in states[-1].fault), 'the stop'
        )
        bench.wait_until(lambda: list(states[-1].opening) == [-1.0] * 3, 'open exhausts')
        assert not bench.call(SetBool, 'enable', SetBool.Request(data=True)).success


@pytest.mark.parametrize('case', ['nan', 'length', 'name', 'stale'])
def test_wrong_commands_are_refused_and_counted(bench, states, case):
    diagnostics = bench.diagnostics()

    def make(stamp):
        message = convert_chambers.pressure_command_to_msg(stamp, NAMES, [75e3] * 3)
        if case == 'nan':
            message.pressure[1] = np.nan
        elif case == 'length':
            message.pressure = [75e3]
        elif case == 'name':
            message.name = ['nobody', *NAMES[1:]]
        else:
            message.header.stamp = convert.to_stamp(convert.from_stamp(stamp) - 5.0)
        return message

    with start(bench):
        play(bench, PressureCommand, 'pressure/command', make)
        bench.wait_until(lambda: diagnostics.value('simulation', f'rejected_{case}') > 0, 'the count')
        assert states and not any(any(state.command) for state in states)


def test_stuck_valves_and_biased_sensors(bench, states):
    Fault = InjectFault.Request
    with start(bench):
        command(bench)
        bench.wait_until(reached(states), 'the pressures')
        stuck = Fault(fault=Fault.FAULT_STICK_VALVE, name=NAMES[:1])
        assert bench.call(InjectFault, 'inject_fault', stuck).success
        bench.wait_until(lambda: states[-1].fault[0] == PressureState.FAULT_BLOCKED, 'the fault')
        assert bench.call(InjectFault, 'inject_fault', Fault(fault=Fault.FAULT_CLEAR)).success
        bias = Fault(fault=Fault.FAULT_BIAS_PRESSURE, name=NAMES[1:2], bias=80e3)
        assert bench.call(InjectFault, 'inject_fault', bias).success
        bench.wait_until(lambda: states[-1].fault[1] & PressureState.FAULT_OVERPRESSURE, 'overpressure')
        bench.wait_until(lambda: not any(states[-1].command), 'a setpoint of 0')
        wrong = bench.call(InjectFault, 'inject_fault', Fault(fault=Fault.FAULT_STICK_VALVE, name=['x']))
        assert not wrong.success


def test_tendons_and_chambers_of_one_robot_are_enabled_and_stopped_together(bench, states, tmp_path):
    both = tmp_path / 'both.yaml'
    both.write_text(ROBOT.read_text() + TENDONS)
    tendons = bench.collect(TendonState, 'tendon/state', qos.SENSOR)
    with start(bench, robot=both):
        command(bench)
        play(
            bench,
            TendonCommand,
            'tendon/command',
            lambda stamp: convert.tendon_command_to_msg(stamp, ['east'], [2.0]),
        )
        bench.wait_until(reached(states), 'the pressures')
        bench.wait_until(lambda: tendons and tendons[-1].command[0] == 2.0, 'the tension')
        assert bench.call(Trigger, 'emergency_stop').success
        bench.wait_until(lambda: not any(states[-1].command) and not any(tendons[-1].command), 'rest')
