"""Starts the web server of the page, with clear sentences when it cannot."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import viser

__all__ = ['open_server']


def open_server(host: str, port: int, title: str) -> viser.ViserServer:
    """Serve an empty page at host:port (port 0: any free one).

    Raises ValueError when viser is not installed or the address cannot be had.
    """
    try:
        import rich
        import viser
    except ImportError as error:
        raise ValueError(
            f'the console needs viser ({error}); install it with '
            '`pip install -r requirements/console.txt -c requirements/constraints.txt`'
        ) from None
    _check_address(host, port)
    rich.get_console().quiet = True  # viser prints a banner; the node prints the address itself
    return viser.ViserServer(host=host, port=port, label=title, verbose=False)


def _check_address(host: str, port: int) -> None:
    """viser would silently take the next free port, or wait for ever for a host that is not here."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise ValueError(
            f'the console cannot listen on {host}:{port} ({error.strerror}); is another console running? '
            'Give another `port` (0: any free one) or the `host` of an interface of this machine'
        ) from None
