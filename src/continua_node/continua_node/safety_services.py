"""The services with which people and programs hold a robot still: enable, emergency_stop, reset, tare.

safety_services.offer(self, Together([self.tendons, self.chambers]), tare=self._tare)
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from rclpy.node import Node
from std_srvs.srv import SetBool, Trigger

__all__ = ['Controls', 'Together', 'offer']


class Controls(Protocol):
    """What the services act on: a `CommandInterface`, several together, or what has a device behind it."""

    @property
    def state(self) -> tuple[bytes, str]: ...
    def enable(self) -> bool: ...
    def disable(self) -> None: ...
    def emergency_stop(self) -> None: ...
    def reset(self) -> bool: ...


class Together:
    """The actuators of different kinds of one robot, enabled and stopped as one."""

    def __init__(self, parts: Sequence[Controls]) -> None:
        """parts: at least one."""
        self._parts = parts

    @property
    def state(self) -> tuple[bytes, str]:
        """The worst level and its sentence."""
        return max((part.state for part in self._parts), key=lambda state: state[0])

    def enable(self) -> bool:
        enabled = [part.enable() for part in self._parts]
        return all(enabled)

    def disable(self) -> None:
        for part in self._parts:
            part.disable()

    def emergency_stop(self) -> None:
        for part in self._parts:
            part.emergency_stop()

    def reset(self) -> bool:
        cleared = [part.reset() for part in self._parts]
        return all(cleared)


def offer(node: Node, controls: Controls, tare: Callable[[], tuple[bool, str]]) -> None:
    """Create the four services.

    tare: makes the present readings zero; returns whether it did, and a sentence.
    """

    def on_enable(request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        response.success = True
        if request.data:
            response.success = controls.enable()
        else:
            controls.disable()
        response.message = controls.state[1]
        return response

    def on_emergency_stop(request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        controls.emergency_stop()
        response.success, response.message = True, controls.state[1]
        node.get_logger().warning(f'emergency stop: {response.message}')
        return response

    def on_reset(request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        response.success, response.message = controls.reset(), controls.state[1]
        return response

    def on_tare(request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        response.success, response.message = tare()
        return response

    node.create_service(SetBool, 'enable', on_enable)
    node.create_service(Trigger, 'emergency_stop', on_emergency_stop)
    node.create_service(Trigger, 'reset', on_reset)
    node.create_service(Trigger, 'tare', on_tare)
