"""For tests of nodes: real processes in a ROS domain of their own, and a node that watches them.

    with testing.Bench('/tendon_arm') as bench:
        states = bench.collect(TendonState, 'tendon/state', qos.SENSOR)
        with bench.start(testing.executable('continua_simulation', 'simulation'), '-p', 'rate:=50.0') as node:
            bench.wait_until(lambda: states, 'a tendon state')
            assert bench.call(Trigger, 'reset').success
            assert node.stop() == 0

Nothing here sleeps for a time that was guessed: it waits for a condition.
"""

import fcntl
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any

import rclpy
from ament_index_python.packages import get_package_prefix
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.executors import SingleThreadedExecutor

from continua_node import qos
from continua_node.qos import Profile

__all__ = ['Bench', 'DiagnosticsWatch', 'NodeProcess', 'executable', 'free_domain']

# Reached only by a test that fails; on a busy machine a node takes many seconds to start.
_TIMEOUT = 90.0


def executable(package: str, name: str) -> list[str]:
    """Command of an installed node."""
    return [str(Path(get_package_prefix(package), 'lib', package, name))]


class NodeProcess:
    """A node in a process of its own; leaving the context kills it where it still runs."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        log, name = tempfile.mkstemp(prefix='continua_', suffix='.log')
        self._log = Path(name)
        self._process = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
        os.close(log)

    def __enter__(self) -> 'NodeProcess':
        return self

    def __exit__(self, *_) -> None:
        if self.is_running:
            self._process.kill()
        self._process.wait()
        self._log.unlink()

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def output(self) -> str:
        """What it has written to stdout and stderr so far."""
        return self._log.read_text()

    def wait(self) -> int:
        """Wait until it ends by itself; its exit code."""
        return self._process.wait(_TIMEOUT)

    def send(self, signum: int) -> None:
        """Send it a signal."""
        self._process.send_signal(signum)

    def stop(self, signum: int = signal.SIGINT) -> int:
        """Send the signal; the exit code, negative where the signal killed it."""
        self.send(signum)
        return self.wait()


class Bench:
    """A domain that no other bench on this machine uses, and a node in `namespace` that looks on.

    domain: its ROS_DOMAIN_ID.
    """

    def __init__(self, namespace: str = '/robot') -> None:
        self._namespace = namespace
        self.domain, self._lock = free_domain()
        self._context = rclpy.Context()
        self._context.init(domain_id=self.domain)
        # it logs nothing, and each bench would register a publisher of its log by the same name in rcl
        self.node = rclpy.create_node(
            'bench', namespace=namespace, context=self._context, enable_rosout=False
        )
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)

    def __enter__(self) -> 'Bench':
        return self

    def __exit__(self, *_) -> None:
        self._executor.shutdown()
        self.node.destroy_node()
        self._context.try_shutdown()
        os.close(self._lock)

    def start(self, command: list[str], *ros_arguments: str) -> NodeProcess:
        """Start a node in the namespace of the bench; `ros_arguments` are what follows --ros-args."""
        environment = os.environ | {'ROS_DOMAIN_ID': str(self.domain), 'PYTHONUNBUFFERED': '1'}
        arguments = ['--ros-args', '-r', f'__ns:={self._namespace}', *ros_arguments]
        return NodeProcess([*command, *arguments], environment)

    def collect(self, message_type: type, topic: str, profile: Profile, depth: int | None = None) -> list:
        """A list to which the messages of the topic are appended while the bench waits.

        depth: how many may queue up while it does not, for a test that needs each one; by default as many as
        the profile keeps, the newest.
        """
        messages: list = []
        requested = copy(profile.requested)
        requested.depth = depth or requested.depth
        self.node.create_subscription(message_type, topic, messages.append, requested)
        return messages

    def diagnostics(self) -> 'DiagnosticsWatch':
        """What the nodes of this domain say about themselves, from now on."""
        return DiagnosticsWatch(self.collect(DiagnosticArray, '/diagnostics', qos.STATE))

    def call(self, service_type: type, name: str, request: Any = None) -> Any:
        """Response of a service."""
        client = self.node.create_client(service_type, name)
        self.wait_until(client.service_is_ready, f'service {name}')
        future = client.call_async(service_type.Request() if request is None else request)
        self.wait_until(future.done, f'a response of {name}')
        self.node.destroy_client(client)
        return future.result()

    def wait_until(self, condition: Callable[[], Any], what: str) -> None:
        """Take messages until `condition()` is true; AssertionError where that never happens."""
        end = time.monotonic() + _TIMEOUT
        while not condition():
            assert time.monotonic() < end, f'waited {_TIMEOUT} s for {what}'
            self._executor.spin_once(timeout_sec=0.1)


class DiagnosticsWatch:
    """The newest diagnostics of each node."""

    def __init__(self, messages: list) -> None:
        self._messages = messages

    def sentence(self, node: str) -> str:
        """The node's sentence, empty while it has said nothing."""
        status = self._newest(node)
        return status.message if status else ''

    def value(self, node: str, key: str) -> float:
        """A number that the node reports, 0 while it has not."""
        status = self._newest(node)
        return next((float(v.value) for v in status.values if v.key == key), 0.0) if status else 0.0

    def _newest(self, node: str) -> Any:
        statuses = (status for message in reversed(self._messages) for status in message.status)
        return next((status for status in statuses if status.name.endswith(f'/{node}')), None)


def free_domain() -> tuple[int, int]:
    """A domain ID and the locked file descriptor that keeps other benches off it."""
    for domain in range(41, 102):
        lock = os.open(Path(tempfile.gettempdir(), f'continua_domain_{domain}.lock'), os.O_CREAT | os.O_RDWR)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            continue
        return domain, lock
    raise RuntimeError('all ROS domains from 41 to 101 are in use by other tests')
