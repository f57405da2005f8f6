import os
import random
import struct

import numpy as np
import pytest

from continua.devices.natnet import Address, NatNetLink
from continua.devices.natnet_packets import (
    Damaged,
    Message,
    message,
    parse_frame,
    parse_models,
    parse_server,
    request,
)
from continua.devices.natnet_writer import write_frame, write_models, write_server

PROTOCOLS = [(3, 0), (3, 1), (4, 0), (4, 1), (4, 2)]
FUZZED = int(os.environ.get('CONTINUA_FUZZ', 100_000))


def server(protocol):
    return parse_server(message(write_server('Motive', protocol, 1511, None))[1])


@pytest.mark.parametrize('protocol', PROTOCOLS)
def test_what_was_written_is_read(protocol, scene):
    spoken = server(protocol)
    assert (spoken.label, spoken.protocol_label) == (
        f'Motive {protocol[0]}.{protocol[1]}.0',
        f'NatNet {protocol[0]}.{protocol[1]}',
    )
    kind, body = message(write_models(scene, protocol))
    models = parse_models(body, spoken)
    assert kind == Message.MODELS
    assert models.bodies == {1: 'base', 2: 'tip', 3: 'lost'}
    assert models.marker_sets == {'arm': ('m0', 'm1', 'm2')}
    kind, body = message(write_frame(7, 12.25, scene, protocol))
    frame = parse_frame(body, spoken)
    assert (kind, frame.number, frame.exposure) == (Message.FRAME, 7, 12.25)
    for identifier, name in models.bodies.items():
        given = scene.bodies[name]
        assert frame.bodies[identifier].is_tracked == (name != 'lost')
        if name != 'lost':
            np.testing.assert_allclose(frame.bodies[identifier].position, given[0], atol=1e-7)
            np.testing.assert_allclose(frame.bodies[identifier].orientation_xyzw, given[1], atol=1e-7)
    np.testing.assert_array_equal(frame.marker_sets['arm'], list(scene.marker_sets['arm'].values()))
    np.testing.assert_array_equal(frame.unlabelled, scene.unlabelled)


def test_a_served_multicast_group_is_read():
    told = parse_server(message(write_server('Motive', (4, 1), 1234, '239.1.2.3'))[1])
    assert (told.is_multicast, told.group, told.data_port) == (True, '239.1.2.3', 1234)


def test_requests_are_those_of_the_vendor():
    assert request(Message.CONNECT) == b'\x00\x00\x05\x00Ping\x00'
    assert request(Message.REQUEST_MODELS) == b'\x04\x00\x01\x00\x00'


def test_playback_without_exposures_has_the_time_of_the_recording(scene):
    datagram = bytearray(write_frame(7, 12.25, scene, (3, 1)))
    datagram[-6 - 24 : -6] = bytes(24)
    assert parse_frame(message(bytes(datagram))[1], server((3, 1))).exposure == 12.25


def test_nan_is_never_tracked_and_never_seen(scene):
    spoken = server((4, 1))
    datagram = write_frame(1, 1.0, scene, (4, 1))
    nan, number = struct.pack('<f', np.nan), struct.pack('<f', 0.25)
    frame = parse_frame(message(datagram.replace(number, nan))[1], spoken)
    assert np.isnan(frame.marker_sets['arm'][[0, 1]]).all()
    one = struct.pack('<f', -1.0)
    frame = parse_frame(message(datagram.replace(one, nan))[1], spoken)
    assert not frame.bodies[2].is_tracked


def test_an_exposure_that_is_no_number_is_damage(scene):
    datagram = bytearray(write_frame(1, 1.0, scene, (3, 0)))
    datagram[-6 - 32 : -6] = struct.pack('<d', np.nan) + bytes(24)
    with pytest.raises(Damaged):
        parse_frame(message(bytes(datagram))[1], server((3, 0)))


@pytest.mark.parametrize(
    'body',
    [
        struct.pack('<II', 1, 0) + b'set\0' + struct.pack('<I', 2**32 - 1),  # as many names
        struct.pack('<II', 1, 4) + struct.pack('<I', 1) + b'a\0b\0' + struct.pack('<III', 0, 0, 2**32 - 1),
    ],
)
def test_damaged_counts_end_with_the_datagram(body):
    with pytest.raises(Damaged):
        parse_models(body, server((4, 0)))


def test_a_server_that_stops_its_clock_is_damage():
    with pytest.raises(Damaged, match='clock'):
        parse_server(message(write_server('Motive', (4, 1), 1511, None, clock_frequency=0))[1])


def _mutated(datagram: bytes, rng: random.Random) -> bytes:
    """Cut, lengthened, or with bytes or whole numbers replaced; the header often says the true length."""
    data = bytearray(datagram)
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(data))
        match rng.randrange(5):
            case 0:
                data[place] = rng.randrange(256)
            case 1:
                data[place : place + 4] = rng.choice([b'\xff' * 4, b'\0' * 4, b'\0\0\xc0\x7f'])
            case 2:
                del data[place + 1 :]
            case 3:
                data += rng.randbytes(rng.randint(1, 40))
            case 4:
                data[place:place] = rng.randbytes(rng.randint(1, 8))
    if rng.random() < 0.8 and len(data) >= 4:
        data[2:4] = struct.pack('<H', (len(data) - 4) & 0xFFFF)
    return bytes(data)


def test_random_and_mutated_datagrams_are_counted_and_the_stream_goes_on(record_property, scene):
    """CONTINUA_FUZZ=1000000 for the million."""
    rng = random.Random(7)
    heard = []
    link = NatNetLink(Address(), lambda *frame: heard.append(frame))
    hello = write_server('Motive', (4, 1), 1511, None)
    link.take(hello, '127.0.0.1', 0.0)
    sources = [hello, write_models(scene, (4, 1)), write_frame(1, 1.0, scene, (4, 1))]
    for i in range(FUZZED):
        is_random = rng.random() < 0.2
        data = rng.randbytes(rng.randrange(300)) if is_random else _mutated(sources[i % 3], rng)
        link.take(data, '127.0.0.1', 1e-3 * i)
        if i % 10 == 0:  # a damaged answer may have changed what is understood
            link.take(hello, '127.0.0.1', 1e-3 * i)
    record_property('datagrams', FUZZED)
    for event, times in link.counts.items():
        record_property(event, times)
    assert link.counts['damaged'] > FUZZED // 4
    assert 'exceptions' not in link.counts
    assert all(np.isfinite(each[2]) for each in heard)
    # A clean stream is understood at once, and placed right once the clock has settled.
    end = 1e-3 * FUZZED
    link.take(hello, '127.0.0.1', end)
    link.take(write_models(scene, (4, 1)), '127.0.0.1', end)
    heard.clear()
    for i in range(480):
        exposure = 5e5 + i / 240
        link.take(write_frame(i, exposure, scene, (4, 1)), '127.0.0.1', end + i / 240)
    assert len(heard) >= 240
    assert heard[-1][1].bodies == {1: 'base', 2: 'tip', 3: 'lost'}
    assert heard[-1][2] == pytest.approx(end + 479 / 240, abs=1e-3)
    link.close()
