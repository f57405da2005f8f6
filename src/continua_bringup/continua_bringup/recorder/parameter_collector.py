"""The parameters that the nodes around the recorder run with, asked of each when it appears."""

import array
from collections.abc import Callable
from typing import Any

from rcl_interfaces.srv import GetParameters, ListParameters
from rclpy.client import Client
from rclpy.node import Node
from rclpy.parameter import parameter_value_to_python
from rclpy.task import Future

__all__ = ['ParameterCollector']


class ParameterCollector:
    """Asks without waiting: a node that does not answer delays nobody and is missing in the result."""

    def __init__(self, node: Node, on_change: Callable[[dict[str, dict[str, Any]]], None]) -> None:
        """on_change: told of all values, by full node name and parameter name, when a node has answered."""
        self._node = node
        self._on_change = on_change
        self._inquiries: dict[str, _Inquiry] = {}
        self._values: dict[str, dict[str, Any]] = {}

    def discover(self) -> None:
        """Begin with nodes that appeared, forget those that went: when they come back they are asked anew."""
        namespace = _with_slash(self._node.get_namespace())
        present = {
            f'{_with_slash(ns)}{name}'
            for name, ns in self._node.get_node_names_and_namespaces()
            if not name.startswith('_') and _with_slash(ns).startswith(namespace)
        }
        for name in self._inquiries.keys() - present:
            self._inquiries.pop(name).close()
        for name in present - self._inquiries.keys():
            self._inquiries[name] = _Inquiry(self._node, name, self._on_answer)
        for inquiry in self._inquiries.values():
            inquiry.go_on()

    def _on_answer(self, name: str, values: dict[str, Any]) -> None:
        self._values[name] = values
        self._on_change(dict(sorted(self._values.items())))


class _Inquiry:
    """Asks one node for its parameters' names, then for their values."""

    def __init__(self, node: Node, name: str, on_answer: Callable[[str, dict[str, Any]], None]) -> None:
        self._node = node
        self._name = name
        self._on_answer = on_answer
        self._clients: list[Client] = [
            node.create_client(ListParameters, f'{name}/list_parameters'),
            node.create_client(GetParameters, f'{name}/get_parameters'),
        ]
        self._is_asked = False

    def go_on(self) -> None:
        """Ask as soon as the services are there."""
        if self._is_asked or not all(client.service_is_ready() for client in self._clients):
            return
        self._is_asked = True
        self._clients[0].call_async(ListParameters.Request()).add_done_callback(self._on_names)

    def close(self) -> None:
        for client in self._clients:
            self._node.destroy_client(client)
        self._clients = []

    def _on_names(self, future: Future) -> None:
        names = sorted(future.result().result.names)
        if self._clients:
            answer = self._clients[1].call_async(GetParameters.Request(names=names))
            answer.add_done_callback(lambda values: self._on_values(names, values))

    def _on_values(self, names: list[str], future: Future) -> None:
        values = map(parameter_value_to_python, future.result().values)
        self._on_answer(self._name, {name: _plain(value) for name, value in zip(names, values, strict=False)})
        self.close()


def _with_slash(namespace: str) -> str:
    return f'{namespace.rstrip("/")}/'


def _plain(value: Any) -> Any:
    """Arrays as lists, for YAML."""
    return list(value) if isinstance(value, (array.array, bytes, list, tuple)) else value
