"""`continua mocap`: hear a motion capture, or play one, without ROS."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from continua.devices.natnet import NatNetLink
    from continua.devices.natnet_packets import Frame
    from continua.devices.natnet_writer import Scene

__all__ = ['mocap']


def mocap(
    listen: Annotated[bool, typer.Option('--listen', help='Say what a server sends, or why not.')] = False,
    emulate: Annotated[bool, typer.Option('--emulate', help='Be a server, on this machine only.')] = False,
    server: Annotated[str, typer.Option(help='IPv4 address of the server to listen to.')] = '127.0.0.1',
    local: Annotated[str, typer.Option(help='Address of this machine; empty: the one that fits.')] = '',
    multicast: Annotated[bool, typer.Option(help='Whether it streams by multicast.')] = False,
    group: Annotated[str, typer.Option(help='Address of multicast.')] = '239.255.42.99',
    command_port: Annotated[int, typer.Option(help='UDP port of requests.')] = 1510,
    data_port: Annotated[int, typer.Option(help='UDP port of multicast.')] = 1511,
    body: Annotated[list[str] | None, typer.Option(help='Rigid body that is needed, or played.')] = None,
    marker_set: Annotated[str, typer.Option(help='Marker set that is needed, or played.')] = '',
    seconds: Annotated[float, typer.Option(help='When to end; 0: at Ctrl-C.')] = 0.0,
    rate: Annotated[float, typer.Option(help='Frames per second that are played.')] = 240.0,
    markers: Annotated[int, typer.Option(help='Markers m0, m1, ... that are played.')] = 4,
    protocol: Annotated[str, typer.Option(help='Version of NatNet that is played.')] = '4.1',
) -> None:
    """Hear an OptiTrack server (--listen), or play one (--emulate), without ROS."""
    from continua.devices.natnet import Address, NatNetLink
    from continua.devices.natnet_server import NatNetServer

    if listen == emulate:
        raise ValueError('mocap: expected either --listen or --emulate')
    end = time.monotonic() + (seconds or float('inf'))
    if emulate:
        version = tuple(map(int, protocol.split('.')))
        _play(
            NatNetServer(version, command_port, group if multicast else None, data_port),
            *(body or ['tip'], marker_set, markers, rate, end),
        )
        return
    heard = _Heard()
    link = NatNetLink(Address(server, local, multicast, group, command_port, data_port), heard.take)
    if not _hear(link, heard, body or [], marker_set, end):
        raise typer.Exit(1)


class _Heard:
    """The newest frame."""

    def __init__(self) -> None:
        self.frame: Frame | None = None

    def take(self, frame: 'Frame', models: object, time: float) -> None:
        self.frame = frame


def _hear(link: 'NatNetLink', heard: _Heard, bodies: list[str], marker_set: str, end: float) -> bool:
    """Say once a second how the stream is, until `end` or Ctrl-C; whether it was good in the end."""
    from continua.devices.natnet_diagnosis import Stage, diagnose

    link.start()
    frames, diagnosis = 0, None
    try:
        while (now := time.monotonic()) < end:
            time.sleep(min(1.0, end - now))
            diagnosis = diagnose(link, bodies, marker_set, time.monotonic())
            typer.echo(diagnosis.sentence)
            if link.frames > frames:
                _show(link, heard.frame, link.frames - frames)
            frames = link.frames
    except KeyboardInterrupt:
        pass
    finally:
        link.close()
    return diagnosis is not None and diagnosis.stage is Stage.GOOD


def _show(link: 'NatNetLink', frame: 'Frame', frames: int) -> None:
    """What is in a frame, in the server's own axes, and what should not happen."""
    typer.echo(f'  frame {frame.number}: {frames} in the last second')
    typer.echo(f'  {len(frame.unlabelled)} markers without name')
    for identifier, body in frame.bodies.items():
        name = link.models.bodies.get(identifier, '?')
        where = ' '.join(f'{x:+.4f}' for x in body.position) if body.is_tracked else 'not tracked'
        typer.echo(f'  rigid body {identifier} {name!r}: {where}')
    for name, positions in frame.marker_sets.items():
        names = ', '.join(link.models.marker_sets.get(name, ()))
        typer.echo(f'  marker set {name!r}: {len(positions)} markers {names}')
    for event, times in sorted(link.counts.items()):
        if times:
            typer.echo(f'  {event}: {times}')


def _play(server, bodies: list[str], marker_set: str, markers: int, rate: float, end: float) -> None:
    """Stream at `rate` until `end` or Ctrl-C."""
    typer.echo(f'plays NatNet {server.protocol[0]}.{server.protocol[1]} at 127.0.0.1:{server.command_port}')
    server.start()
    start = due = time.monotonic()
    try:
        while due < end:
            time.sleep(max(due - time.monotonic(), 0.0))
            exposure = time.monotonic()
            server.send(_scene(exposure - start, bodies, marker_set, markers), exposure)
            due = max(due + 1.0 / rate, exposure)  # what was missed is not made up for
    except KeyboardInterrupt:
        pass
    finally:
        server.close()


def _scene(seconds: float, bodies: list[str], marker_set: str, markers: int) -> 'Scene':
    """Bodies on circles; markers in a row that sways with them, in a set or without names."""
    import numpy as np

    from continua.devices.natnet_writer import Scene

    sway = 0.02 * np.array([np.sin(seconds), np.cos(seconds), 0.0])
    upright = np.array([0.0, 0.0, 0.0, 1.0])
    row = {f'm{i}': sway + [0.0, 0.0, 0.4 - 0.06 * i] for i in range(markers)}
    return Scene(
        bodies={name: (sway + [0.1 * i, 0.0, 0.0], upright) for i, name in enumerate(bodies)},
        marker_sets={marker_set: row} if marker_set else {},
        unlabelled=np.zeros((0, 3)) if marker_set or not row else np.array(list(row.values())),
    )
