import threading
import time

import numpy as np
import pytest

from continua.devices.board_link import BoardLink, Demand, Retry
from continua.devices.board_messages import Mode, Type
from continua.devices.errors import DeviceLost, DeviceRefused
from continua.devices.fake_board import FakeBoard
from continua.devices.serial_board import SerialBoard
from continua.devices.tendon_messages import TENDON_BOARD, Config, Fault

TIMEOUT = 60.0  # s, only to end a test that hangs
RETRY = Retry(0.01, 0.05)


class Host:
    """The rest of a driver: a demand that the test sets, and the newest state."""

    def __init__(self, open_board, refuse=None):
        self.demand = Demand(False, np.zeros(4))
        self.state = None
        self.refuse = refuse
        self.changed = threading.Condition()
        self.link = BoardLink(
            open_board,
            self.configure,
            n=4,
            demand=lambda now: self.demand,
            on_state=self.on_state,
            retry=RETRY,
        )

    def configure(self, identity):
        if self.refuse:
            raise DeviceRefused(self.refuse)
        return Config(0.2, 100, np.zeros(4), np.full(4, 20.0), np.full(4, 100.0))

    def on_state(self, state, received):
        with self.changed:
            self.state = state
            self.changed.notify_all()

    def wait_for(self, condition):
        with self.changed:
            assert self.changed.wait_for(lambda: self.state is not None and condition(self.state), TIMEOUT)
        return self.state

    def energise(self, tension):
        self.wait_for(lambda s: s.mode == Mode.AT_REST)
        self.demand = Demand(True, np.array(tension))
        self.link.wake()
        return self.wait_for(lambda s: np.allclose(s.setpoint, tension))


@pytest.fixture
def host(emulated, port):
    host = Host(lambda: SerialBoard.open(TENDON_BOARD, str(port)))
    host.link.start()
    yield host
    host.link.close()


def wait_until(condition):
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < deadline
        threading.Event().wait(0.005)


def test_finds_the_board_and_keeps_it_commanded(host):
    assert host.link.wait_connected(TIMEOUT)
    host.energise([5.0] * 4)
    last = host.state.command_sequence
    host.wait_for(lambda s: (s.command_sequence - last) % 65536 > 10)
    assert not host.state.fault.any()
    assert host.link.counts() == {'bad_frames': 0, 'lost_frames': 0, 'bad_messages': 0}


def test_slack_demand_slackens(host):
    host.energise([5.0] * 4)
    host.demand = Demand(False, np.zeros(4))
    host.link.wake()
    assert host.wait_for(lambda s: s.mode == Mode.AT_REST).setpoint.tolist() == [0.0] * 4


def test_a_thread_that_hangs_leaves_it_to_the_watchdog_of_the_board(host, emulated):
    host.energise([5.0] * 4)
    going_on = threading.Event()
    host.link.request(lambda board: going_on.wait(TIMEOUT))
    wait_until(lambda: not emulated.tension.any())
    going_on.set()


def test_resumes_without_being_told_to_be_slack_in_between(host, emulated):
    host.energise([5.0] * 4)
    emulated.board.plug(False)
    wait_until(lambda: not host.link.status.is_connected)
    emulated.board.plug(True)
    assert host.link.wait_connected(TIMEOUT)
    host.wait_for(lambda s: s.mode == Mode.ENERGISED and np.allclose(s.setpoint, 5.0))


def test_requests_are_answered_from_the_thread(host):
    assert host.link.wait_connected(TIMEOUT)
    host.link.request(lambda board: board.tare()).result(TIMEOUT)
    host.energise([5.0] * 4)
    with pytest.raises(DeviceRefused, match='BUSY'):
        host.link.request(lambda board: board.tare()).result(TIMEOUT)
    host.link.request(lambda board: board.stop()).result(TIMEOUT)
    assert (host.wait_for(lambda s: s.mode == Mode.STOPPED).fault & Fault.EMERGENCY_STOP).all()


def test_unplug_and_replug(host, emulated):
    host.energise([5.0] * 4)
    emulated.board.plug(False)
    wait_until(lambda: not host.link.status.is_connected)
    assert 'gone' in host.link.status.sentence
    with pytest.raises(DeviceLost):
        host.link.request(lambda board: board.tare()).result(TIMEOUT)
    host.demand = Demand(False, np.zeros(4))
    emulated.board.plug(True)
    assert host.link.wait_connected(TIMEOUT)
    assert host.link.status.connections == 2
    host.energise([3.0] * 4)


def test_closing_slackens(host, emulated):
    host.energise([5.0] * 4)
    host.link.close()
    wait_until(lambda: not emulated.tension.any())


def test_a_board_that_is_not_the_right_one_gets_no_limits():
    fakes = []

    def open_board():
        fakes.append(FakeBoard(serial='TB-0008'))
        return SerialBoard(TENDON_BOARD, fakes[-1])

    host = Host(open_board, refuse='expected TB-0007, got TB-0008')
    host.link.start()
    wait_until(lambda: len(fakes) > 2)
    assert host.link.status.sentence == 'expected TB-0007, got TB-0008'
    host.link.close()
    assert {frame.type for fake in fakes for frame in fake.received} == {Type.HELLO}


def test_a_board_that_falls_silent_is_lost():
    host = Host(lambda: SerialBoard(TENDON_BOARD, FakeBoard()))
    host.link.start()
    wait_until(lambda: 'silent' in host.link.status.sentence)
    wait_until(lambda: host.link.status.connections > 1)
    host.link.close()


def test_an_error_in_the_driver_does_not_end_the_thread(host, caplog):
    assert host.link.wait_connected(TIMEOUT)
    fail, host.link._on_state = host.link._on_state, lambda state, received: 1 / 0
    wait_until(lambda: 'ZeroDivisionError' in host.link.status.sentence)
    host.link._on_state = fail
    assert host.link.wait_connected(TIMEOUT)
    assert 'unforeseen error' in caplog.text


def test_retry_gets_slower_up_to_its_last():
    retry = Retry(0.2, 2.0)
    waits = [retry.first]
    while waits[-1] < retry.last:
        waits.append(retry.next(waits[-1]))
    assert waits == sorted(waits)
    assert waits[-1] == retry.next(waits[-1]) == 2.0
