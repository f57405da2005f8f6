import termios
import time

import numpy as np
import pytest
import serial

from continua.devices import valve_messages
from continua.devices.board_messages import Ack, AckCode, Mode, Type
from continua.devices.errors import DeviceLost, DeviceRefused
from continua.devices.fake_board import FakeBoard
from continua.devices.frames import encode_frame
from continua.devices.serial_board import SerialBoard
from continua.devices.tendon_messages import TENDON_BOARD, Config, Fault

TIMEOUT = 60.0  # s, only to end a test that hangs


def config(n=4, watchdog=0.2):
    return Config(watchdog, 100, np.zeros(n), np.full(n, 20.0), np.full(n, 100.0))


def states_until(board, condition, keep_alive=None):
    """Poll, commanding with `keep_alive` if given, until a state fulfils the condition; return that state."""
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline:
        board.wait(0.02)
        for state in board.poll():
            if condition(state):
                return state
        if keep_alive is not None:
            board.command(np.array(keep_alive), enable=True)
    raise AssertionError('no state fulfilled the condition')


class TestAgainstTheFake:
    def test_identity(self):
        board = SerialBoard(TENDON_BOARD, FakeBoard(serial='TB-0007', n_channels=6))
        assert (board.identity.serial, board.identity.n_channels) == ('TB-0007', 6)

    def test_other_major_version_is_refused_with_a_sentence(self):
        with pytest.raises(DeviceRefused, match=r'expected protocol 1\.x, got 2\.x; flash'):
            SerialBoard(TENDON_BOARD, FakeBoard(protocol=(2, 0)))

    def test_later_minor_version_is_accepted(self):
        assert SerialBoard(TENDON_BOARD, FakeBoard(protocol=(1, 9))).identity.protocol == (1, 9)

    def test_another_kind_of_board_is_refused(self):
        valves = valve_messages.Identity((1, 0), (1, 0, 0), 'VB-0001', 4, 150e3, 500, 1000)
        with pytest.raises(DeviceRefused, match='this is no tendon board'):
            SerialBoard(TENDON_BOARD, FakeBoard(identity=valves))
        with pytest.raises(DeviceRefused, match='this is no valve board'):
            SerialBoard(valve_messages.HELD_BY_BOARD, FakeBoard())

    def test_mute_board_is_lost(self):
        fake = FakeBoard()
        fake.is_mute = True
        with pytest.raises(DeviceLost, match='no tendon board answered'):
            SerialBoard(TENDON_BOARD, fake, timeout=0.1)
        assert {frame.type for frame in fake.received} == {Type.HELLO}

    def test_refused_request_names_the_reason(self):
        fake = FakeBoard()
        board = SerialBoard(TENDON_BOARD, fake)
        fake.refuse = {Type.CONFIG: AckCode.OUT_OF_RANGE, Type.TARE: AckCode.BUSY}
        with pytest.raises(DeviceRefused, match='CONFIG: OUT_OF_RANGE'):
            board.configure(config())
        with pytest.raises(DeviceRefused, match='TARE: BUSY'):
            board.tare()

    def test_board_that_forgot_its_limits_is_lost(self):
        fake = FakeBoard()
        board = SerialBoard(TENDON_BOARD, fake)
        sequence = board.command(np.zeros(4), enable=True)
        fake.send(Type.ACK, Ack(Type.COMMAND, sequence, AckCode.NOT_CONFIGURED).pack())
        board.wait(TIMEOUT)
        with pytest.raises(DeviceLost, match='restarted'):
            board.poll()

    def test_nonsense_is_counted_and_does_no_harm(self):
        fake = FakeBoard()
        board = SerialBoard(TENDON_BOARD, fake)
        fake.send(Type.STATE, b'short')
        fake.send(Type.HELLO, b'')  # not for the host
        fake.send(Type.ACK, Ack(Type.TARE, 0, 99).pack())
        fake.send_bytes(b'\x09noise\x00')
        fake.send_bytes(encode_frame(Type.ACK, 77, b'')[:-2] + b'\x00')
        board.tare()
        assert board.poll() == []
        assert board.bad_messages == 3
        assert board.bad_frames == 2

    @pytest.mark.parametrize('error', [serial.SerialException('x'), OSError(5, 'x'), termios.error('x')])
    @pytest.mark.parametrize('call', ['read', 'write'])
    def test_whatever_the_line_raises_means_lost(self, monkeypatch, error, call):
        fake = FakeBoard()
        board = SerialBoard(TENDON_BOARD, fake)

        def fail(_):
            raise error

        monkeypatch.setattr(fake, call, fail)
        with pytest.raises(DeviceLost, match='the tendon board is gone'):
            board.poll() if call == 'read' else board.command(np.zeros(4), enable=False)

    def test_no_port(self, tmp_path):
        with pytest.raises(DeviceLost, match='cannot open'):
            SerialBoard.open(TENDON_BOARD, str(tmp_path / 'nothing'))


class TestAgainstTheFirmware:
    @pytest.fixture
    def board(self, emulated, port):
        board = SerialBoard.open(TENDON_BOARD, str(port), timeout=TIMEOUT)
        yield board
        board.close()

    def energise(self, board, tension):
        board.configure(config())
        board.command(np.zeros(4), enable=False)
        return states_until(board, lambda s: np.allclose(s.setpoint, tension), keep_alive=tension)

    def test_identity(self, board):
        assert board.identity.serial == 'EMULATED-0001'
        assert board.identity.n_channels == 4

    def test_limits_are_those_in_force(self, board):
        wanted = Config(5.0, 10_000, np.zeros(2), np.array([900.0, 15.0]), np.array([10.0, 20.0]))
        effective = board.configure(wanted)
        assert (effective.watchdog, effective.state_rate) == (1.0, 500)
        assert effective.max_tension.tolist() == [500.0, 15.0]
        assert effective.tension_rate.tolist() == [10.0, 20.0]

    def test_too_many_tendons_are_refused(self, board):
        with pytest.raises(DeviceRefused, match='OUT_OF_RANGE'):
            board.configure(config(n=5))

    def test_tension_follows_within_the_limits(self, board):
        state = self.energise(board, [5.0, 0.0, 2.5, 20.0])
        assert state.mode == Mode.ENERGISED
        state = states_until(board, lambda s: s.is_saturated[3], keep_alive=[5.0, 0.0, 2.5, 30.0])
        assert state.setpoint[3] <= 20.0
        state = states_until(
            board, lambda s: np.allclose(s.tension, [5, 0, 2.5, 20]), keep_alive=[5.0, 0.0, 2.5, 30.0]
        )
        np.testing.assert_allclose(state.displacement, 1e-3 * state.tension)
        assert not state.fault.any()

    def test_state_repeats_the_sequence_of_the_command(self, board):
        board.configure(config())
        sequence = board.command(np.zeros(4), enable=False)
        assert states_until(board, lambda s: s.command_sequence == sequence).mode == Mode.AT_REST

    def test_silence_slackens(self, board):
        self.energise(board, [5.0] * 4)
        state = states_until(board, lambda s: s.fault.any())
        assert state.fault.tolist() == [Fault.WATCHDOG] * 4
        assert state.setpoint.tolist() == [0.0] * 4

    def test_stop_stays_until_reset(self, board):
        self.energise(board, [5.0] * 4)
        board.stop()
        state = states_until(board, lambda s: s.mode == Mode.STOPPED, keep_alive=[5.0] * 4)
        assert state.setpoint.tolist() == [0.0] * 4
        assert (state.fault & Fault.EMERGENCY_STOP).all()
        board.reset()
        board.command(np.zeros(4), enable=False)
        assert states_until(board, lambda s: s.mode == Mode.ENERGISED, keep_alive=[1.0] * 4)

    def test_tare_only_while_slack(self, board):
        self.energise(board, [5.0] * 4)
        with pytest.raises(DeviceRefused, match='BUSY'):
            board.tare()
        board.command(np.zeros(4), enable=False)
        states_until(board, lambda s: s.mode == Mode.AT_REST)
        board.tare()

    def test_port_belongs_to_one_process(self, board, port):
        with pytest.raises(DeviceLost, match='cannot open'):
            SerialBoard.open(TENDON_BOARD, str(port))

    def test_unplugged_board_is_lost_and_found_again(self, board, emulated, port):
        self.energise(board, [5.0] * 4)
        emulated.board.plug(False)
        with pytest.raises(DeviceLost):
            states_until(board, lambda s: False, keep_alive=[5.0] * 4)
        board.close()
        emulated.board.plug(True)
        deadline = time.monotonic() + TIMEOUT
        again = None
        while again is None and time.monotonic() < deadline:
            try:
                again = SerialBoard.open(TENDON_BOARD, str(port), timeout=TIMEOUT)
            except DeviceLost:
                continue
        assert again.configure(config()).watchdog == pytest.approx(0.2)
        assert states_until(again, lambda s: s.mode == Mode.AT_REST).setpoint.tolist() == [0.0] * 4
        again.close()

    def test_frames_damaged_on_the_way_are_counted_by_the_board(self, board, port):
        board.configure(config())
        board._line.write(b'\x05damaged\x00')
        assert states_until(board, lambda s: s.bad_frames == 1)
