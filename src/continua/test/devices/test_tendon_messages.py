from pathlib import Path

import numpy as np
import pytest

from continua.devices import tendon_messages as messages
from continua.devices.board_messages import Ack, AckCode, ConfigEffective, Hello, Mode, Type
from continua.devices.frames import FrameDecoder, encode_frame
from continua.devices.tendon_messages import Command, Config, Identity, State

FIRMWARE = Path(__file__).parents[4] / 'hardware' / 'firmware'


def vector_lines() -> list[tuple[str, str, str]]:
    """(kind, fields, hexadecimal frame) of each line of the vector file."""
    lines = (FIRMWARE / 'test_vectors' / 'tendon_board.txt').read_text().splitlines()
    parts = [line.split(' | ') for line in lines if not line.startswith('#')]
    return [(*text.partition(' ')[::2], frame) for text, frame in parts]


def message_of(kind: str, fields: dict[str, str]):
    """The message in SI units that a line of the vector file describes; None for a message without a body."""
    numbers = {k: [int(v) for v in value.split(',') if v] for k, value in fields.items() if k != 'serial'}
    if kind in ('CONFIG', 'CONFIG_EFFECTIVE'):
        limits = np.reshape(numbers['limits'], (-1, 3)) / 1e6
        config = Config(numbers['watchdog_ms'][0] * 1e-3, numbers['state_rate'][0], *limits.T)
        return config if kind == 'CONFIG' else ConfigEffective(numbers['request'][0], config)
    if kind == 'STATE':
        channels = np.reshape(numbers['channels'], (-1, 6))
        return State(
            time=numbers['time_us'][0] * 1e-6,
            command_sequence=numbers['command_sequence'][0],
            mode=Mode(numbers['mode'][0]),
            supply=numbers['supply_mv'][0] * 1e-3,
            bad_frames=numbers['bad_frames'][0],
            lost_frames=numbers['lost_frames'][0],
            tension=channels[:, 0] / 1e6,
            displacement=channels[:, 1] / 1e9,
            velocity=channels[:, 2] / 1e9,
            setpoint=channels[:, 3] / 1e6,
            fault=channels[:, 4].astype(np.uint16),
            is_saturated=channels[:, 5] != 0,
        )
    if kind == 'IDENTITY':
        n_channels, limit, rate = (numbers[k][0] for k in ('n_channels', 'limit', 'max_state_rate'))
        return Identity((1, 0), (1, 0, 0), fields['serial'], n_channels, limit / 1e6, rate)
    if kind == 'HELLO':
        return Hello(*numbers['version'])
    if kind == 'COMMAND':
        return Command(bool(numbers['flags'][0]), np.array(numbers['value']) / 1e6)
    if kind == 'ACK':
        return Ack(*numbers['request'], AckCode(numbers['code'][0]))
    return None


@pytest.mark.parametrize(('kind', 'text', 'hexadecimal'), vector_lines())
def test_vectors(kind, text, hexadecimal):
    fields = dict(field.split('=') for field in text.split())
    sequence = int(fields.pop('sequence'))
    message = message_of(kind, fields)
    body = b'' if message is None else message.pack()
    assert encode_frame(Type[kind], sequence, body).hex() == hexadecimal

    (frame,) = FrameDecoder().feed(bytes.fromhex(hexadecimal))
    assert (frame.type, frame.sequence) == (Type[kind], sequence)
    if message is not None:
        received = (
            ConfigEffective.unpack(frame.body, Config)
            if kind == 'CONFIG_EFFECTIVE'
            else type(message).unpack(frame.body)
        )
        assert received.pack() == body


def test_quantities_survive_the_wire():
    state = State(
        time=12.345678,
        command_sequence=9,
        mode=Mode.ENERGISED,
        supply=12.0,
        bad_frames=1,
        lost_frames=2,
        tension=np.array([1.5, -0.25]),
        displacement=np.array([-0.012, 0.003]),
        velocity=np.array([0.1, -0.2]),
        setpoint=np.array([1.6, 0.0]),
        fault=np.array([0, 5], dtype=np.uint16),
        is_saturated=np.array([True, False]),
    )
    received = State.unpack(state.pack())
    for name in ('tension', 'displacement', 'velocity', 'setpoint', 'fault', 'is_saturated'):
        np.testing.assert_allclose(getattr(received, name), getattr(state, name), rtol=0, atol=1e-9)
    assert (received.time, received.mode, received.command_sequence) == (12.345678, Mode.ENERGISED, 9)


@pytest.mark.parametrize('value', [np.nan, np.inf, -np.inf])
def test_only_finite_numbers_are_sent(value):
    with pytest.raises(ValueError, match='expected finite numbers'):
        Command(True, np.array([1.0, value])).pack()


def test_what_the_wire_cannot_hold_is_saturated_not_wrapped():
    assert Command.unpack(Command(True, np.array([1e9, -1e9])).pack()).values.tolist() == [2000.0, -2000.0]


@pytest.mark.parametrize('kind', [Hello, Identity, Config, Command, State, Ack])
def test_bodies_of_any_length_raise_nothing_but_value_errors(kind):
    rng = np.random.default_rng(1)
    for size in list(range(60)) * 20:
        try:
            kind.unpack(rng.bytes(size))
        except ValueError as error:
            assert str(error)


def test_faults_and_types_are_those_of_the_firmware():
    header = (FIRMWARE / 'board_core' / 'protocol.hpp').read_text()
    wanted = {'kFault' + f.name.title().replace('_', ''): f.value for f in messages.Fault}
    del wanted['kFaultDeviceLost']  # only the host can say that
    for name, value in wanted.items():
        assert f'{name} = {value},' in header
    for type_ in Type:
        assert f'k{type_.name.title().replace("_", "")} = {type_.value:#04x},' in header.replace('0X', '0x')
