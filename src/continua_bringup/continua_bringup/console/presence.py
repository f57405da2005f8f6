"""Whether somebody has the page before them: a browser that shows it, not one that merely stays connected.

A tab that was left, hidden or frozen keeps its connection open: browsers answer the protocol's keep-alive on
their own. A question for a value of the browser's store is answered by the page itself, between two pictures
that it draws, hence only while it is on a screen.
"""

from __future__ import annotations

import math
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import viser

__all__ = ['Presence']

INTERVAL = 0.2  # s between questions
PATIENCE = 1.0  # s for an answer before asking again


class Presence:
    """Keeps asking each connected browser, in a thread of its own for each."""

    def __init__(self, server: viser.ViserServer) -> None:
        self._server = server
        self._last_answer = -math.inf
        server.on_client_connect(self._begin)

    def absence(self) -> float:
        """Seconds since a page last answered; infinite before the first."""
        return time.monotonic() - self._last_answer

    def _begin(self, client: viser.ClientHandle) -> None:
        threading.Thread(target=self._ask, args=(client,), daemon=True).start()

    def _ask(self, client: viser.ClientHandle) -> None:
        while client.client_id in self._server.get_clients():
            try:
                client.local_storage.get_item('present', timeout=PATIENCE)
            except TimeoutError:
                continue
            except RuntimeError:  # it has gone; or it keeps no store, which is an answer too
                if client.client_id not in self._server.get_clients():
                    return
            self._last_answer = time.monotonic()
            time.sleep(INTERVAL)
