"""Messages of the valve board, against the frames that its firmware must write and read too."""

from pathlib import Path

import numpy as np
import pytest

from continua.devices.board_messages import ConfigEffective, Mode, Type
from continua.devices.frames import FrameDecoder, encode_frame
from continua.devices.valve_messages import (
    Config,
    Identity,
    OpeningCommand,
    PressureCommand,
    State,
)

VECTORS = Path(__file__).parents[4] / 'hardware' / 'firmware' / 'test_vectors' / 'valve_board.txt'
LIMIT_UNITS = [1e3] * 3 + [1e12] * 3 + [1e4] * 3


def vector_lines() -> list[tuple[str, str, str]]:
    """(kind, fields, hexadecimal frame) of each line of the vector file."""
    parts = [line.split(' | ') for line in VECTORS.read_text().splitlines() if not line.startswith('#')]
    return [(*text.partition(' ')[::2], frame) for text, frame in parts]


def message_of(kind: str, fields: dict[str, str]):
    """The message in SI units that a line of the vector file describes."""
    numbers = {k: [int(v) for v in value.split(',') if v] for k, value in fields.items() if k != 'serial'}
    if kind in ('CONFIG', 'CONFIG_EFFECTIVE'):
        limits = np.reshape(numbers['limits'], (-1, 9)) / LIMIT_UNITS
        config = Config(numbers['watchdog_ms'][0] * 1e-3, numbers['state_rate'][0], *limits.T)
        return config if kind == 'CONFIG' else ConfigEffective(numbers['request'][0], config)
    if kind == 'IDENTITY':
        rates = (numbers[k][0] for k in ('max_state_rate', 'control_rate'))
        limit = numbers['limit'][0] / 1e3
        return Identity((1, 0), (1, 0, 0), fields['serial'], numbers['n_channels'][0], limit, *rates)
    if kind == 'COMMAND':
        flags, values = numbers['flags'][0], np.array(numbers['value'])
        if flags & 2:
            return OpeningCommand(bool(flags & 1), values / 1e6)
        return PressureCommand(bool(flags & 1), values / 1e3)
    channels = np.reshape(numbers['channels'], (-1, 5))
    return State(
        time=numbers['time_us'][0] * 1e-6,
        command_sequence=numbers['command_sequence'][0],
        mode=Mode(numbers['mode'][0]),
        supply=numbers['supply_mv'][0] * 1e-3,
        bad_frames=numbers['bad_frames'][0],
        lost_frames=numbers['lost_frames'][0],
        pressure=channels[:, 0] / 1e3,
        setpoint=channels[:, 1] / 1e3,
        opening=channels[:, 2] / 1e6,
        fault=channels[:, 3].astype(np.uint16),
        is_saturated=channels[:, 4] != 0,
    )


@pytest.mark.parametrize(('kind', 'text', 'hexadecimal'), vector_lines())
def test_vectors(kind, text, hexadecimal):
    fields = dict(field.split('=') for field in text.split())
    sequence = int(fields.pop('sequence'))
    message = message_of(kind, fields)
    body = message.pack()
    assert encode_frame(Type[kind], sequence, body).hex() == hexadecimal
    (frame,) = FrameDecoder().feed(bytes.fromhex(hexadecimal))
    more = [Config] if kind == 'CONFIG_EFFECTIVE' else []
    assert type(message).unpack(frame.body, *more).pack() == body


def test_what_the_wire_cannot_hold_is_saturated_not_wrapped():
    received = PressureCommand.unpack(PressureCommand(True, np.array([1e9, -1e9])).pack())
    assert received.values.tolist() == [2e6, -2e6]
    config = Config(0.1, 100, *(np.array([1e9]) for _ in range(9)))
    assert Config.unpack(config.pack()).filter_time.tolist() == [6.5535]


@pytest.mark.parametrize('kind', [Identity, Config, PressureCommand, OpeningCommand, State])
def test_bodies_of_any_length_raise_nothing_but_value_errors(kind):
    rng = np.random.default_rng(1)
    for size in list(range(60)) * 20:
        try:
            kind.unpack(rng.bytes(size))
        except ValueError as error:
            assert str(error)
