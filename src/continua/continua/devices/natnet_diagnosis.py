"""Which stage of a motion capture's stream fails, in one sentence that says what to check.

Socket, server, frames, body listed, body tracked: each needs the one before it.
"""

import math
from dataclasses import dataclass
from enum import Enum

from continua.devices.natnet import PROTOCOLS, NatNetLink

__all__ = ['PATIENCE', 'Diagnosis', 'Stage', 'diagnose']

PATIENCE = 2.0  # s


class Stage(Enum):
    """The first stage that fails, if any."""

    STARTING = 'starting'
    SOCKET = 'socket'
    SERVER = 'server'
    FRAMES = 'frames'
    LISTED = 'body listed'
    TRACKED = 'body tracked'
    GOOD = 'good'


@dataclass(frozen=True)
class Diagnosis:
    stage: Stage
    sentence: str


def diagnose(link: NatNetLink, bodies: list[str], marker_set: str, now: float) -> Diagnosis:
    """What is wrong at the steady time `now` [s], or that nothing is.

    bodies, marker_set: names that the caller needs; no set where it is ''.
    """
    silence = now - max(link.last_frame, link.began)
    if not link.trouble and now - link.began < PATIENCE:
        return Diagnosis(Stage.STARTING, f'waiting for the motion capture at {_place(link)}')
    if silence > PATIENCE or link.trouble:
        return _silent(link, now)
    missing = _not_listed(link, bodies, marker_set)
    if missing is not None:
        return missing
    for name in bodies:
        unseen = now - max(link.tracked.get(name, -math.inf), link.began)
        if unseen > PATIENCE:
            return Diagnosis(
                Stage.TRACKED,
                f'body tracked: rigid body {name!r} has not been seen for {PATIENCE:g} s; is it in view '
                'of the cameras, and are its markers where they were when it was made?',
            )
    server = link.server
    return Diagnosis(Stage.GOOD, f'{server.label} at {_place(link)} sends frames of {server.protocol_label}')


def _silent(link: NatNetLink, now: float) -> Diagnosis:
    address, server = link.address, link.server
    if link.trouble:
        return Diagnosis(
            Stage.SOCKET,
            f'socket: {link.trouble}, with local address {link.local}; is that an address of this '
            'machine (`ip address`), in the network of the server, with the cable plugged in?',
        )
    if server is None or now - link.answered > PATIENCE:
        return Diagnosis(
            Stage.SERVER,
            f'server: nothing answers at {_place(link)}; is Motive running, is streaming switched on '
            '(Edit > Settings > Streaming) on the interface with this address, and does its firewall '
            f'pass UDP {address.command_port}? The local address is {link.local}',
        )
    if server.protocol[0] not in PROTOCOLS:
        return Diagnosis(
            Stage.SERVER,
            f'server: {server.label} speaks {server.protocol_label}, expected NatNet 3 or 4; '
            'update Motive, or choose an older bit stream in its settings',
        )
    if server.is_multicast != address.is_multicast:
        way, setting = ('multicast', 'true') if server.is_multicast else ('unicast', 'false')
        sentence = f'frames: {server.label} streams by {way}; set multicast to {setting}'
        return Diagnosis(Stage.FRAMES, sentence)
    return Diagnosis(Stage.FRAMES, f'frames: {server.label} answers, but sends none; {_advice(link)}')


def _advice(link: NatNetLink) -> str:
    address, server = link.address, link.server
    expected, given = (address.group, address.data_port), (server.group, server.data_port)
    if address.is_multicast and given != expected:
        return f'it streams to {given[0]}:{given[1]}, not to {expected[0]}:{expected[1]}; set group and port'
    if link.counts['damaged']:
        return 'what comes instead is damaged: does another program stream to this port?'
    return 'is Motive in live mode, or playing, and does no firewall drop them?'


def _not_listed(link: NatNetLink, bodies: list[str], marker_set: str) -> Diagnosis | None:
    models = link.models
    for kind, names, listed in (
        ('rigid body', bodies, models.bodies.values()),
        ('marker set', [marker_set] if marker_set else [], models.marker_sets),
    ):
        for name in names:
            if name not in listed:
                return Diagnosis(
                    Stage.LISTED,
                    f'body listed: no {kind} is called {name!r}; the server lists '
                    f'{", ".join(map(repr, listed)) or "none"}; rename it, or tick it in the assets',
                )
    return None


def _place(link: NatNetLink) -> str:
    return f'{link.address.server}:{link.address.command_port}'
