"""Run one node in one process: `def main() -> int: return spin.spin(MyNode)`.

`spin` builds the node, runs it until Ctrl-C, SIGTERM or a shutdown from outside, or until `node.is_finished`
where it has that; calls `node.close()` where there is one (drivers go slack there; a last message is sent
with `deliver`) and takes everything down. It returns the exit code:

    0  asked to stop, or finished
    1  something unexpected, shown with its traceback
    2  wrong user input at start (ValueError, ROS arguments), shown as one sentence

An exception in a callback is logged with its traceback, counted as `exceptions` in `node.diagnostics` where
there are any, and the node goes on: one bad message must not end an experiment. A node in which exceptions
follow one another (`_STORM` of them within `_STORM_TIME` seconds) cannot do its work and ends with 1.
"""

import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import rclpy
from rclpy._rclpy_pybind11 import RCLError, UnknownROSArgsError
from rclpy.duration import Duration
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.signals import SignalHandlerOptions

try:
    from rclpy.experimental import EventsExecutor
except ImportError:  # Jazzy before rclpy 7.1.5
    from rclpy.executors import SingleThreadedExecutor as EventsExecutor

__all__ = ['deliver', 'spin']

_STORM = 20
_STORM_TIME = 5.0
# EventsExecutor.spin() without a timeout never fires a timer in the PyPI wheels; this also bounds the time to
# notice a signal.
_SPIN_TIMEOUT = 0.5
# [s] for a last message to arrive. Fast DDS asks its subscribers what they have every 3 s, and with a topic
# that keeps one message at once; a subscriber that died without a word is missed only after 20 s.
_DELIVERY_TIMEOUT = 4.0


def spin(make_node: Callable[[], Node], args: list[str] | None = None) -> int:
    """Run the node that `make_node()` builds until it is asked to stop; return the exit code of the process.

    args: command line, sys.argv by default.
    """
    stop = _Stop()
    node = None
    try:
        with stop.on_signals():
            # rclpy's own handlers would shut its context down before `close` could publish.
            rclpy.init(args=args, signal_handler_options=SignalHandlerOptions.NO)
            node = make_node()
            stop.begin_waiting()
            try:
                _run(node, stop)
            finally:
                if hasattr(node, 'close'):
                    node.close()
    except KeyboardInterrupt:
        return 0
    except (ValueError, RCLError, UnknownROSArgsError) as error:
        if node is not None:
            traceback.print_exc()
            return 1
        print(f'{Path(sys.argv[0]).name}: {error}', file=sys.stderr)
        return 2
    except Exception:
        traceback.print_exc()
        return 1
    finally:
        if node is not None:
            node.destroy_node()
        rclpy.try_shutdown()
    return 0


def deliver(publisher: Publisher, message: Any) -> None:
    """Publish the last message of a node, for its `close`: wait until reliable subscribers have it.

    A publisher that goes takes with it what is still on the way. After a shutdown from outside nothing can be
    published any more, and nothing is.
    """
    if rclpy.ok():
        publisher.publish(message)
        publisher.wait_for_all_acked(Duration(seconds=_DELIVERY_TIMEOUT))


class _Stop:
    """Whether SIGINT or SIGTERM came.

    While the node is being built they interrupt; later they are only noted, so that a repeated one cannot
    break into `close`.
    """

    def __init__(self) -> None:
        self.is_asked = False
        self._interrupts = True

    def begin_waiting(self) -> None:
        self._interrupts = False

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        previous = {s: signal.signal(s, self._on_signal) for s in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for signum, handler in previous.items():
                signal.signal(signum, handler)

    def _on_signal(self, signum, frame) -> None:
        self.is_asked = True
        if self._interrupts:
            raise KeyboardInterrupt


def _run(node: Node, stop: _Stop) -> None:
    executor = EventsExecutor()
    executor.add_node(node)
    recent = deque(maxlen=_STORM)
    try:
        while rclpy.ok() and not stop.is_asked and not getattr(node, 'is_finished', False):
            try:
                executor.spin_once(timeout_sec=_SPIN_TIMEOUT)
            except ExternalShutdownException:
                return
            except Exception:
                _note_exception(node, recent)
    finally:
        executor.shutdown()


def _note_exception(node: Node, recent: deque) -> None:
    """Log and count the exception being handled; raise it again when it is one of a storm."""
    node.get_logger().error(f'Exception in a callback; going on.\n{traceback.format_exc()}')
    diagnostics = getattr(node, 'diagnostics', None)
    if diagnostics is not None:
        diagnostics.count('exceptions')
    recent.append(time.monotonic())
    if len(recent) == _STORM and recent[-1] - recent[0] < _STORM_TIME:
        raise
