"""The link against an emulated server: what arrives, what is refused, and what the user is told."""

import time
from dataclasses import replace

import numpy as np
import pytest

from continua.devices.natnet import Address, NatNetLink
from continua.devices.natnet_diagnosis import Stage
from continua.devices.natnet_writer import write_frame, write_server

DRIFT = 5e-5
OFFSET = 1e6


@pytest.mark.parametrize('protocol', [(3, 1), (4, 0), (4, 1), (4, 2)])
@pytest.mark.parametrize('group', [None, '239.255.42.98'])
def test_frames_and_names_arrive(serve, listen, wait_until, scene, protocol, group):
    server = serve(protocol=protocol, group=group, data_port=15110)
    given = {'is_multicast': True, 'group': group, 'data_port': 15110} if group else {}
    listener = listen(server, **given)
    listener.hear(3)
    wait_until(lambda: 'arm' in listener.link.models.marker_sets, 'names')
    listener.hear(1)
    frame, models, _ = listener.heard[-1]
    assert models.bodies == {1: 'base', 2: 'tip', 3: 'lost'}
    np.testing.assert_allclose(frame.bodies[2].position, scene.bodies['tip'][0], atol=1e-6)
    wait_until(lambda: set(listener.link.tracked) == {'base', 'tip'}, 'tracked bodies')
    assert listener.link.counts['damaged'] == 0


def test_exposures_are_placed_when_they_were(serve, listen, scene):
    server = serve(clock=lambda steady: (1.0 + DRIFT) * steady + OFFSET)
    listener = listen(server)
    listener.hear(50)
    true = time.monotonic()
    server.send(scene, true)
    count = len(listener.heard)
    listener.hear(1)
    # No sooner than it was, and no later than it arrived.
    placed = next(each[2] for each in listener.heard[count - 1 :] if each[2] >= true - 1e-3)
    assert true - 1e-3 <= placed <= time.monotonic()


@pytest.fixture
def link():
    """A link without sockets that knows its server, and the frames it passed on."""
    heard = []
    link = NatNetLink(Address(), lambda *frame: heard.append(frame))
    link.take(write_server('Motive', (4, 1), 1511, None), '127.0.0.1', 0.0)
    yield link, heard
    link.close()


def frame_at(exposure: float, scene, number: int = 1) -> bytes:
    return write_frame(number, exposure, scene, (4, 1))


def test_out_of_order_and_doubled_frames_are_dropped(link, scene):
    link, heard = link
    for i, exposure in enumerate((1.0, 1.2, 1.1, 1.2, 1.3)):
        link.take(frame_at(exposure, scene), '127.0.0.1', 10.0 + 0.1 * i)
    assert [each[0].exposure for each in heard] == [1.0, 1.2, 1.3]
    assert link.counts['late_frames'] == 2


def test_datagrams_of_other_hosts_are_counted(link, scene):
    link, heard = link
    link.take(frame_at(1.0, scene), '10.0.0.9', 10.0)
    assert heard == []
    assert link.counts['from_others'] == 1


@pytest.mark.parametrize('jump', [-3600.0, 3600.0])
def test_a_clock_that_jumps_is_followed(link, scene, jump):
    """Also a server that was restarted, whose clock begins anew."""
    link, heard = link
    for i in range(1200):
        exposure = i / 240 + (5000.0 if i < 240 else 5000.0 + jump)
        link.take(frame_at(exposure, scene), '127.0.0.1', i / 240 + 1e-3)
    assert link.counts['clock_jumps'] == 1
    errors = np.array([time_ - (i / 240) for i, (_, _, time_) in enumerate(heard)])
    np.testing.assert_allclose(errors[-240:], 1e-3, atol=1e-4)
    assert len(heard) == 1200


def test_a_pause_of_this_process_is_no_jump(link, scene):
    """Frames that waited in the socket are placed when they were made."""
    link, heard = link
    for i in range(240):
        link.take(frame_at(i / 240, scene), '127.0.0.1', 50.0 + i / 240)
    for i in range(240, 720):
        link.take(frame_at(i / 240, scene), '127.0.0.1', 53.0 + 1e-5 * i)
    assert link.counts['clock_jumps'] == 0
    np.testing.assert_allclose([each[2] - 50.0 for each in heard], np.arange(720) / 240, atol=1e-3)


def test_a_server_that_restarts_with_another_version_is_understood(serve, listen, wait_until):
    server = serve(protocol=(3, 1))
    listener = listen(server)
    listener.hear(5)
    server.forget()
    server.protocol = (4, 1)
    listener.hear(5)
    wait_until(lambda: listener.link.server.protocol[:2] == (4, 1), 'the new version')


def test_nobody_answers_and_then_does(serve, listen, told):
    server = serve()
    server.is_plugged = False
    listener = listen(server)
    told(listener, Stage.STARTING)
    told(listener, Stage.SERVER)
    server.is_plugged = True
    told(listener, Stage.FRAMES)


def test_unplugged_and_back(serve, listen, told):
    server = serve()
    listener = listen(server)
    listener.keep_hearing()
    told(listener, Stage.GOOD)
    server.is_plugged = False
    told(listener, Stage.SERVER)
    server.is_plugged = True
    told(listener, Stage.GOOD)


def test_no_such_local_address(serve, listen, told):
    assert '192.0.2.1' in told(listen(serve(), local='192.0.2.1'), Stage.SOCKET)


def test_a_version_that_is_not_understood(serve, listen, told):
    assert 'NatNet 2.9' in told(listen(serve(protocol=(2, 9))), Stage.SERVER)


def test_multicast_against_unicast(serve, listen, told):
    listener = listen(serve(group='239.255.42.97', data_port=15111))
    assert 'set multicast to true' in told(listener, Stage.FRAMES)


def test_another_group(serve, listen, told):
    server = serve(group='239.255.42.97', data_port=15111)
    listener = listen(server, is_multicast=True, group='239.255.42.96', data_port=15111)
    assert 'set group and port' in told(listener, Stage.FRAMES)


def test_names_that_are_not_streamed(serve, listen, told):
    listener = listen(serve())
    listener.keep_hearing()
    assert "'tipp'" in told(listener, Stage.LISTED, bodies=['tipp'])
    assert "'leg'" in told(listener, Stage.LISTED, marker_set='leg')


def test_a_body_that_is_not_tracked(serve, listen, told):
    listener = listen(serve())
    listener.keep_hearing()
    assert "'lost' has not been seen" in told(listener, Stage.TRACKED, bodies=['lost'])


@pytest.mark.parametrize('wrong', [{'server': 'motive'}, {'group': '1.2.3'}, {'local': 'eth0'}])
def test_addresses_are_numbers(wrong):
    with pytest.raises(ValueError, match='expected an IPv4 address'):
        Address(**wrong)


def test_an_error_of_the_receiver_does_not_end_the_thread(serve, listen, wait_until, scene):
    server = serve()
    listener = listen(server)
    listener.hear(1)

    def fails(*_):
        raise RuntimeError('receiver')

    good, listener.link._on_frame = listener.link._on_frame, fails
    server.send(scene, time.monotonic())
    wait_until(lambda: listener.link.counts['exceptions'], 'an error')
    listener.link._on_frame = good
    listener.hear(3, replace(scene, unlabelled=np.zeros((1, 3))))
