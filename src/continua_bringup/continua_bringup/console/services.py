"""Calls services of the robot without waiting, and says what came of each call."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from rclpy.client import Client
from rclpy.node import Node
from rclpy.task import Future
from std_srvs.srv import SetBool, Trigger

__all__ = ['ServiceCalls']

Done = Callable[[bool, str], None]


@dataclass
class Pending:
    """A call that was sent and not yet answered."""

    client: Client
    future: Future
    deadline: float
    done: Done


class ServiceCalls:
    """Services `SetBool` and `Trigger` by name.

    patience: [s] after which a call counts as not answered.
    """

    def __init__(self, node: Node, patience: float) -> None:
        self._node = node
        self._patience = patience
        self._clients: dict[str, Client] = {}
        self._pending: dict[str, Pending] = {}

    def offer(self, name: str, kind: type) -> None:
        """Get ready to call a service; it may appear later."""
        self._clients[name] = self._node.create_client(kind, name)

    def is_offered(self, name: str) -> bool:
        """Whether some node offers the service now."""
        return self._clients[name].service_is_ready()

    def is_pending(self, name: str) -> bool:
        """Whether a call of this service still waits for its answer."""
        return name in self._pending

    def call(self, name: str, done: Done, data: bool | None = None) -> None:
        """Send a request (with `data` for a SetBool) and later call `done(succeeded, sentence)` once."""
        client = self._clients[name]
        if not client.service_is_ready():
            done(False, f'{name}: no node offers this service; is the robot running?')
            return
        self._forget(name)
        request = Trigger.Request() if data is None else SetBool.Request(data=data)
        pending = Pending(client, client.call_async(request), time.monotonic() + self._patience, done)
        self._pending[name] = pending
        pending.future.add_done_callback(partial(self._on_answer, name, pending))

    def expire(self) -> None:
        """Give up on calls that were not answered in time; call it regularly."""
        now = time.monotonic()
        for name, pending in list(self._pending.items()):
            if now > pending.deadline:
                self._forget(name)
                pending.done(False, f'{name}: no answer within {self._patience:g} s; does its node hang?')

    def _forget(self, name: str) -> None:
        pending = self._pending.pop(name, None)
        if pending is not None:
            pending.client.remove_pending_request(pending.future)

    def _on_answer(self, name: str, pending: Pending, future: Future) -> None:
        if self._pending.get(name) is not pending:
            return
        del self._pending[name]
        answer = future.result()
        word = 'done' if answer.success else 'refused'
        pending.done(answer.success, f'{name}: {answer.message or word}')
