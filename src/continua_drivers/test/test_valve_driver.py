"""The valve driver against the board's own firmware, which holds pressures itself or is told openings."""

import signal
import threading
from pathlib import Path

import numpy as np
import pytest
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from std_srvs.srv import SetBool, Trigger

from continua.description import load_robot
from continua.devices.emulated_board import EmulatedBoard
from continua.devices.valve_messages import Fault
from continua.simulation import Valve
from continua_msgs.msg import PressureCommand, PressureState
from continua_node import convert, convert_chambers, qos
from continua_node.testing import Bench, NodeProcess, executable

ROBOT = Path(get_package_share_directory('continua_bringup'), 'config', 'robots', 'pneumatic_arm.yaml')
NAMES = list(load_robot(ROBOT).chamber_names)
_STEP = 2e-3  # s
PRESSURE = [50e3, 20e3, 10e3]
HIGHEST = 75e3


class Chambers:
    """The board, and chambers without a robot around them, moved in real time.

    pressure: (n,) Pa. bias: Pa, of the sensors. signal: (n,) of the valves. is_stuck: they keep it.
    """

    def __init__(self, port: Path) -> None:
        firmware = Path(get_package_prefix('continua_simulation'), 'lib/continua_simulation/valve_board_host')
        self.board = EmulatedBoard(firmware, port, 'EMULATED-0001', len(NAMES), 1000)
        self.pressure, self.signal = np.zeros(len(NAMES)), np.full(len(NAMES), -1.0)
        self.bias, self.is_stuck = 0.0, False
        self._valve = Valve(supply_dead_band=0.0, exhaust_dead_band=0.0)
        self._is_ending = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def is_vented(self) -> bool:
        """Whether all valves are fully open to the exhaust."""
        return bool((self.signal == -1.0).all())

    def close(self) -> None:
        self._is_ending.set()
        self._thread.join()
        self.board.close()

    def _run(self) -> None:
        while not self._is_ending.wait(_STEP) and self.board.is_running():
            demand = self.board.demand(timeout=0.0)
            if demand is not None and not self.is_stuck:
                self.signal = demand
            self.pressure = self._valve.pressure(self.pressure, self.signal, _STEP)
            self.board.measure(self.pressure + self.bias)


class ValveRig:
    """The driver under test, its chambers, and what its neighbours in the graph see of it."""

    def __init__(self, bench: Bench, port: Path) -> None:
        self.bench, self.port = bench, port
        self.states: list[PressureState] = bench.collect(PressureState, 'pressure/state', qos.SENSOR)
        self.diagnostics = bench.diagnostics()
        self.publisher = bench.node.create_publisher(PressureCommand, 'pressure/command', qos.COMMAND.offered)
        self._timer = None

    def start(self, **parameters) -> NodeProcess:
        """The driver; parameters as text of the command line."""
        given = {'port': self.port, 'autostart': 'true'} | parameters
        return self._start('valve_driver', given)

    def start_pid(self) -> NodeProcess:
        return self._start('pressure_pid', {})

    def message(self, pressure, age: float = 0.0) -> PressureCommand:
        """A command whose stamp is `age` s old."""
        stamp = convert.to_stamp(self.bench.node.get_clock().now().nanoseconds * 1e-9 - age)
        return convert_chambers.pressure_command_to_msg(stamp, NAMES, pressure)

    def keep_commanding(self, pressure) -> None:
        """Command these pressures at 100 Hz while the bench waits."""
        self.stop_commanding()
        self._timer = self.bench.node.create_timer(
            0.01, lambda: self.publisher.publish(self.message(pressure))
        )

    def stop_commanding(self) -> None:
        if self._timer is not None:
            self.bench.node.destroy_timer(self._timer)
            self._timer = None

    def wait_for(self, condition, what: str) -> PressureState:
        """The first new state that fulfils the condition."""
        self.states.clear()
        self.bench.wait_until(lambda: any(map(condition, self.states)), f'pressure/state: {what}')
        return next(filter(condition, self.states))

    def wait_for_pressure(self, pressure) -> PressureState:
        """The first new state without a fault near these pressures."""
        return self.wait_for(
            lambda s: np.allclose(s.pressure, pressure, atol=2e3) and not any(s.fault), f'{pressure} Pa'
        )

    def wait_for_fault(self, fault: int) -> PressureState:
        """The first new state with the fault and valves open to the exhaust."""
        return self.wait_for(
            lambda s: any(f & fault for f in s.fault) and list(s.opening) == [-1.0] * len(NAMES),
            f'vented with fault {fault}',
        )

    def _start(self, name: str, given: dict) -> NodeProcess:
        given = {'robot_file': ROBOT, 'settings_id': 'test'} | given
        arguments = [word for key, value in given.items() for word in ('-p', f'{key}:={value}')]
        return self.bench.start(executable('continua_drivers', name), *arguments)


@pytest.fixture
def chambers(port):
    chambers = Chambers(port)
    yield chambers
    chambers.close()


@pytest.fixture
def rig(bench, port, chambers):
    return ValveRig(bench, port)


def test_fault_bits_are_those_of_the_message():
    for fault in Fault:
        assert getattr(PressureState, f'FAULT_{fault.name}') == fault.value


def test_the_board_holds_pressures_and_closing_vents(rig, chambers):
    with rig.start() as driver:
        rig.keep_commanding(PRESSURE)
        state = rig.wait_for_pressure(PRESSURE)
        assert list(state.name) == NAMES
        np.testing.assert_allclose(state.command, PRESSURE)
        assert driver.stop() == 0
        rig.bench.wait_until(lambda: chambers.is_vented, 'open exhausts')


def test_limits_of_the_robot_hold(rig, chambers):
    with rig.start():
        rig.keep_commanding([500e3, 0.0, 0.0])
        state = rig.wait_for(lambda s: s.is_saturated[0] and s.command[0] > 10e3, 'a limited pressure')
        assert not state.is_saturated[1]
        rig.wait_for(lambda s: s.pressure[0] > 0.95 * HIGHEST, 'the limit itself')
        assert max(s.command[0] for s in rig.states) <= HIGHEST


@pytest.mark.parametrize('cause', ['no commands', 'driver killed', 'driver frozen'])
def test_vented_without_commands(rig, chambers, cause):
    with rig.start() as driver:
        rig.keep_commanding(PRESSURE)
        rig.wait_for_pressure(PRESSURE)
        if cause == 'no commands':
            rig.stop_commanding()
            rig.wait_for_fault(PressureState.FAULT_WATCHDOG)
        else:
            driver.send(signal.SIGKILL if cause == 'driver killed' else signal.SIGSTOP)
        rig.bench.wait_until(lambda: chambers.is_vented, 'open exhausts')
        if cause == 'driver frozen':
            driver.send(signal.SIGCONT)
        if cause != 'driver killed':
            rig.keep_commanding(PRESSURE)
            rig.wait_for_pressure(PRESSURE)


def test_unplugged_board_vents_is_reported_and_resumes(rig, chambers):
    with rig.start():
        rig.keep_commanding(PRESSURE)
        rig.wait_for_pressure(PRESSURE)
        chambers.board.plug(False)
        rig.wait_for_fault(PressureState.FAULT_DEVICE_LOST)
        rig.bench.wait_until(lambda: chambers.is_vented, 'open exhausts')
        rig.bench.wait_until(
            lambda: 'DEVICE_LOST' in rig.diagnostics.sentence('valve_driver'), 'the sentence'
        )
        chambers.board.plug(True)
        rig.wait_for_pressure(PRESSURE)
        rig.bench.wait_until(lambda: rig.diagnostics.value('valve_driver', 'reconnects') == 1, 'the count')


def test_overpressure_vents_until_reset(rig, chambers):
    with rig.start():
        rig.keep_commanding(PRESSURE)
        rig.wait_for_pressure(PRESSURE)
        chambers.bias = 60e3
        rig.wait_for_fault(PressureState.FAULT_OVERPRESSURE)
        assert chambers.is_vented
        chambers.bias = 0.0
        rig.wait_for(lambda s: max(s.pressure) < 1e3, 'a vented robot')
        rig.wait_for_fault(PressureState.FAULT_OVERPRESSURE)
        assert rig.bench.call(Trigger, 'reset').success
        assert rig.bench.call(SetBool, 'enable', SetBool.Request(data=True)).success
        rig.wait_for_pressure(PRESSURE)


def test_emergency_stop_is_latched_until_reset_and_enable(rig, chambers):
    with rig.start():
        rig.keep_commanding(PRESSURE)
        rig.wait_for_pressure(PRESSURE)
        assert rig.bench.call(Trigger, 'emergency_stop').success
        rig.wait_for_fault(PressureState.FAULT_EMERGENCY_STOP)
        assert not rig.bench.call(SetBool, 'enable', SetBool.Request(data=True)).success
        assert rig.bench.call(Trigger, 'reset').success
        assert rig.bench.call(SetBool, 'enable', SetBool.Request(data=True)).success
        rig.wait_for_pressure(PRESSURE)


def test_a_valve_that_sticks_is_reported(rig, chambers):
    with rig.start():
        chambers.is_stuck = True
        rig.keep_commanding(PRESSURE)
        rig.wait_for(lambda s: s.fault[0] & PressureState.FAULT_BLOCKED, 'a blocked valve')


@pytest.mark.parametrize('case', ['nan', 'length', 'stale', 'name'])
def test_wrong_commands_are_refused_and_counted(rig, chambers, case):
    def wrong():
        message = rig.message([np.nan if case == 'nan' else HIGHEST] * 3, age=0.5 if case == 'stale' else 0.0)
        if case == 'length':
            message.pressure = [HIGHEST]
        if case == 'name':
            message.name = ['nobody', *NAMES[1:]]
        return message

    with rig.start():
        rig.keep_commanding(PRESSURE)
        rig.wait_for_pressure(PRESSURE)
        timer = rig.bench.node.create_timer(0.02, lambda: rig.publisher.publish(wrong()))
        rig.states.clear()
        rig.bench.wait_until(
            lambda: rig.diagnostics.value('valve_driver', f'rejected_{case}') > 0, f'rejected_{case}'
        )
        assert np.all(np.array([s.command for s in rig.states]) <= PRESSURE)
        rig.bench.node.destroy_timer(timer)


def test_calibration_is_applied_and_another_robots_refused(rig, chambers, tmp_path):
    def write(names):
        row = '{pressure_scale: 1.25, pressure_offset: 500.0, supply_dead_band: 0.0, exhaust_dead_band: 0.0}'
        rows = '\n'.join(f'  {name}: {row}' for name in names)
        (tmp_path / 'EMULATED-0001.yaml').write_text(
            f'version: 1\nserial: EMULATED-0001\ndate: 2026-03-14\nchambers:\n{rows}\n'
        )

    write(['nobody'])
    with rig.start(calibration_dir=tmp_path):
        rig.bench.wait_until(lambda: 'got nobody' in rig.diagnostics.sentence('valve_driver'), 'refusal')
    write(NAMES)
    with rig.start(calibration_dir=tmp_path):
        rig.keep_commanding(PRESSURE)
        rig.wait_for_pressure(PRESSURE)
        raw = (np.array(PRESSURE) - 500.0) / 1.25
        rig.bench.wait_until(lambda: np.allclose(chambers.pressure, raw, atol=2e3), 'what the sensors read')


def test_a_node_holds_the_pressures_and_without_it_the_driver_vents(rig, chambers):
    with rig.start(pid='node'), rig.start_pid() as pid:
        rig.keep_commanding(PRESSURE)
        state = rig.wait_for_pressure(PRESSURE)
        assert len(state.command) == 0 and len(state.opening) == len(NAMES)
        rig.stop_commanding()
        rig.wait_for_fault(PressureState.FAULT_WATCHDOG)
        rig.bench.wait_until(lambda: chambers.is_vented, 'open exhausts')
        rig.keep_commanding(PRESSURE)
        rig.wait_for_pressure(PRESSURE)
        pid.send(signal.SIGKILL)
        rig.wait_for_fault(PressureState.FAULT_WATCHDOG)
        rig.bench.wait_until(lambda: chambers.is_vented, 'open exhausts')
