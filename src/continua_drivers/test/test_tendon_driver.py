"""The tendon driver against the board's own firmware."""

import signal
import time

import numpy as np
import pytest
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState, GetState
from std_srvs.srv import SetBool, Trigger

from continua.devices.tendon_messages import Fault
from continua_msgs.msg import TendonState
from continua_node import convert

TENSION = [2.0, 1.0, 3.0]
SLACK = [0.0, 0.0, 0.0]


def lifecycle(rig) -> str:
    return rig.bench.call(GetState, 'tendon_driver/get_state').current_state.label


def change_lifecycle(rig, transition: int) -> bool:
    request = ChangeState.Request(transition=Transition(id=transition))
    return rig.bench.call(ChangeState, 'tendon_driver/change_state', request).success


def poll_until(condition) -> None:
    """Wait for what the drives do, finer than the bench looks."""
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end
        time.sleep(2e-4)


def test_fault_bits_are_those_of_the_message():
    for fault in Fault:
        assert getattr(TendonState, f'FAULT_{fault.name}') == fault.value


def test_commands_reach_the_board_and_its_readings_the_graph(rig, drives):
    with rig.start() as driver:
        rig.keep_commanding(TENSION)
        rig.wait_for_command(TENSION)
        assert lifecycle(rig) == 'active'
        rig.bench.wait_until(lambda: drives.tension.tolist() == TENSION, 'the tension at the drives')
        state = rig.wait_for(lambda s: np.allclose(s.tension, TENSION, atol=1e-6), 'the tension')
        np.testing.assert_allclose(state.displacement, 1e-3 * np.array(TENSION), atol=1e-9)
        now = rig.bench.node.get_clock().now().nanoseconds * 1e-9
        assert 0.0 <= now - (state.header.stamp.sec + 1e-9 * state.header.stamp.nanosec) < 60.0
        stamps = [s.header.stamp.sec * 10**9 + s.header.stamp.nanosec for s in rig.states]
        assert stamps == sorted(stamps)
        assert driver.stop() == 0
        # Closing slackens at once, not only by the watchdog of the board.
        rig.bench.wait_until(lambda: not drives.tension.any(), 'slack tendons')


def test_limits_of_the_robot_hold(rig, drives):
    with rig.start():
        rig.keep_commanding([100.0, 1.0, 1.0])
        state = rig.wait_for(lambda s: s.is_saturated[0] and s.command[0] > 1.0, 'a limited tension')
        assert not state.is_saturated[1] or state.command[1] < 1.0
        rig.wait_for(lambda s: s.command[0] == 10.0, 'the limit itself')
        assert drives.tension.max() <= 10.0


def test_time_from_command_to_drive(rig, drives, record_property):
    with rig.start():
        rig.keep_commanding(TENSION)
        rig.wait_for_command(TENSION)
        rig.stop_commanding()
        delays, last = [], TENSION
        for factor in np.linspace(0.99, 0.5, 50):  # falling tension, which no rate limits
            wanted = np.round(factor * np.array(TENSION), 6)
            if not np.allclose(drives.tension, last):  # slack because this machine paused the test
                rig.keep_commanding(last)
                rig.bench.wait_until(lambda last=last: np.allclose(drives.tension, last), 'the last tension')
                rig.stop_commanding()
            start = time.monotonic()
            rig.publisher.publish(rig.message(wanted))
            poll_until(lambda wanted=wanted: np.allclose(drives.tension, wanted) or not drives.tension.any())
            if drives.tension.any():
                delays.append(1e3 * (time.monotonic() - start))
            last = wanted
        assert delays
        record_property('command to drive, median [ms]', round(float(np.median(delays)), 2))
        record_property('command to drive, 95 % [ms]', round(float(np.percentile(delays, 95)), 2))


@pytest.mark.parametrize('cause', ['no commands', 'driver killed', 'driver frozen'])
def test_slack_without_commands(rig, drives, cause, record_property):
    with rig.start() as driver:
        rig.keep_commanding(TENSION)
        rig.wait_for_command(TENSION)
        start = time.monotonic()
        if cause == 'no commands':
            rig.stop_commanding()
        else:
            driver.send(signal.SIGKILL if cause == 'driver killed' else signal.SIGSTOP)
        poll_until(lambda: not drives.tension.any())
        record_property('slack after [ms]', round(1e3 * (time.monotonic() - start)))
        if cause == 'no commands':
            state = rig.wait_for(lambda s: list(s.command) == SLACK, 'slack')
            assert all(f & TendonState.FAULT_WATCHDOG for f in state.fault)
        if cause == 'driver frozen':
            driver.send(signal.SIGCONT)
        if cause != 'driver killed':
            rig.keep_commanding(TENSION)
            rig.wait_for_command(TENSION)


def test_unplugged_board_is_reported_and_resumes(rig, drives):
    with rig.start() as driver:
        rig.keep_commanding(TENSION)
        rig.wait_for_command(TENSION)
        drives.board.plug(False)
        state = rig.wait_for(lambda s: any(f & TendonState.FAULT_DEVICE_LOST for f in s.fault), 'device lost')
        assert list(state.command) == SLACK
        rig.wait_for_sentence('DEVICE_LOST')
        assert lifecycle(rig) == 'unconfigured'
        enabled = rig.bench.call(SetBool, 'enable', SetBool.Request(data=True))
        assert not enabled.success
        assert 'DEVICE_LOST' in enabled.message
        drives.board.plug(True)
        rig.wait_for_command(TENSION)
        assert lifecycle(rig) == 'active'
        assert rig.wait_for_count('reconnects') == 1
        assert driver.output().count('the tendon board is gone') == 1


def test_stopped_while_unplugged_does_not_resume(rig, drives):
    with rig.start():
        rig.keep_commanding(TENSION)
        rig.wait_for_command(TENSION)
        drives.board.plug(False)
        rig.wait_for(lambda s: any(f & TendonState.FAULT_DEVICE_LOST for f in s.fault), 'device lost')
        rig.bench.call(Trigger, 'emergency_stop')
        drives.board.plug(True)
        state = rig.wait_for(lambda s: not any(f & TendonState.FAULT_DEVICE_LOST for f in s.fault), 'found')
        assert all(f & TendonState.FAULT_EMERGENCY_STOP for f in state.fault)
        assert lifecycle(rig) == 'inactive'
        assert list(state.command) == SLACK
        assert not drives.tension.any()


def test_emergency_stop_is_latched_until_reset_and_enable(rig, drives):
    with rig.start() as driver:
        rig.keep_commanding(TENSION)
        rig.wait_for_command(TENSION)
        assert rig.bench.call(Trigger, 'emergency_stop').success
        rig.bench.wait_until(lambda: not drives.tension.any(), 'slack tendons')
        rig.wait_for(
            lambda s: list(s.command) == SLACK and all(f & TendonState.FAULT_EMERGENCY_STOP for f in s.fault),
            'slack after an emergency stop',
        )
        assert not rig.bench.call(SetBool, 'enable', SetBool.Request(data=True)).success
        # The board keeps the latch even where the driver is started anew.
        assert driver.stop() == 0
    rig.bench.wait_until(lambda: not rig.bench.node.count_publishers('tendon/state'), 'the end of the driver')
    ended = convert.from_stamp(rig.message(SLACK).header.stamp)
    with rig.start():
        state = rig.wait_for(lambda s: convert.from_stamp(s.header.stamp) > ended, 'the new driver')
        assert all(f & TendonState.FAULT_EMERGENCY_STOP for f in state.fault)
        assert rig.bench.call(Trigger, 'reset').success
        rig.wait_for(lambda s: list(s.command) == SLACK and not any(s.fault), 'no fault')
        assert rig.bench.call(SetBool, 'enable', SetBool.Request(data=True)).success
        rig.wait_for_command(TENSION)


def test_enable_is_activate_and_deactivate(rig, drives):
    with rig.start(autostart='false'):
        rig.keep_commanding(TENSION)
        rig.wait_for(lambda s: True, 'any')
        assert lifecycle(rig) == 'inactive'
        assert rig.bench.call(SetBool, 'enable', SetBool.Request(data=True)).success
        rig.wait_for_command(TENSION)
        assert lifecycle(rig) == 'active'
        assert rig.bench.call(SetBool, 'enable', SetBool.Request(data=False)).success
        rig.wait_for_command(SLACK)
        assert lifecycle(rig) == 'inactive'
        assert change_lifecycle(rig, Transition.TRANSITION_ACTIVATE)
        rig.wait_for_command(TENSION)
        assert change_lifecycle(rig, Transition.TRANSITION_DEACTIVATE)
        rig.wait_for_command(SLACK)


def test_cleanup_lets_go_of_the_port_and_configure_takes_it_again(rig, drives):
    with rig.start(autostart='false'):
        rig.wait_for(lambda s: True, 'any')
        assert change_lifecycle(rig, Transition.TRANSITION_CLEANUP)
        assert lifecycle(rig) == 'unconfigured'
        drives.board.plug(False)
        assert not change_lifecycle(rig, Transition.TRANSITION_CONFIGURE)
        drives.board.plug(True)
        rig.wait_for(lambda s: not any(s.fault), 'a board that was found')
        assert lifecycle(rig) == 'inactive'


def test_tare_makes_the_readings_zero(rig, drives):
    drives.close()  # the load that follows stays, whatever the board demands
    with rig.start(autostart='false'):
        n = len(TENSION)
        load = rig.bench.node.create_timer(
            0.01, lambda: drives.board.measure(np.full(n, 0.5), np.full(n, 0.002), np.zeros(n))
        )
        rig.wait_for(lambda s: np.allclose(s.tension, 0.5), 'the load')
        assert rig.bench.call(Trigger, 'tare').success
        rig.wait_for(lambda s: list(s.tension) == SLACK and list(s.displacement) == SLACK, 'zero')
        rig.bench.node.destroy_timer(load)


@pytest.mark.parametrize('case', ['nan', 'length', 'stale', 'name', 'quantity'])
def test_wrong_commands_are_refused_and_counted(rig, drives, case):
    message = rig.message([float('nan'), 1.0, 1.0] if case == 'nan' else [9.0] * 3)
    if case == 'length':
        message.tension = [9.0]
    elif case == 'stale':
        message = rig.message([9.0] * 3, age=0.5)
    elif case == 'name':
        message.name = ['nobody', *message.name[1:]]
    elif case == 'quantity':
        message.displacement = [0.0] * 3
    with rig.start():
        rig.keep_commanding(TENSION)
        rig.wait_for_command(TENSION)

        def send_wrong():
            if case not in ('stale', 'nan'):
                message.header.stamp = rig.bench.node.get_clock().now().to_msg()
            rig.publisher.publish(message)

        wrong = rig.bench.node.create_timer(0.02, send_wrong)
        rig.states.clear()
        assert rig.wait_for_count(f'rejected_{case}') > 0
        assert np.all(np.array([s.command for s in rig.states]) <= TENSION)
        rig.bench.node.destroy_timer(wrong)


def test_calibration_of_another_robot_is_refused(rig, drives, tmp_path):
    with rig.start(calibration_dir=tmp_path):
        rig.wait_for_sentence('EMULATED-0001.yaml')
        assert lifecycle(rig) == 'unconfigured'
    (tmp_path / 'EMULATED-0001.yaml').write_text(
        'version: 1\nserial: EMULATED-0001\ndate: 2025-03-14\ntendons: {nobody: {tension_scale: 1.0, '
        'tension_offset: 0.0, displacement_scale: 1.0}}\n'
    )
    with rig.start(calibration_dir=tmp_path):
        rig.wait_for_sentence('got nobody')


def test_calibration_is_applied(rig, drives, tmp_path):
    rows = '\n'.join(
        f'  {name}: {{tension_scale: 1.25, tension_offset: 0.5, displacement_scale: 1.5}}'
        for name in rig.message(TENSION).name
    )
    (tmp_path / 'EMULATED-0001.yaml').write_text(
        f'version: 1\nserial: EMULATED-0001\ndate: 2025-03-14\ntendons:\n{rows}\n'
    )
    with rig.start(calibration_dir=tmp_path):
        rig.keep_commanding(TENSION)
        rig.wait_for(lambda s: np.allclose(s.command, TENSION, atol=1e-5) and not any(s.fault), 'the command')
        rig.wait_for(lambda s: np.allclose(s.tension, TENSION, atol=1e-5), 'the tension')
        raw = (np.array(TENSION) - 0.5) / 1.25
        rig.bench.wait_until(lambda: np.allclose(drives.tension, raw, atol=1e-5), 'the tension at the drives')


def test_other_parameters_are_refused(rig):
    with rig.start(watchdogg='0.1') as driver:
        assert driver.wait() == 2
        assert 'watchdog' in driver.output()
