"""Whether two nodes in two processes find each other.

Run as a program, this is one of the two: `python -m continua_bringup.doctor.discovery talk|listen TOPIC`.
"""

import os
import subprocess
import sys
import time

from continua.doctor.finding import Finding, fail, ok

__all__ = ['look']

PATIENCE = 30.0  # s; discovery takes up to 3 s, the start of two processes on a busy machine longer
REMEDY = (
    'bring up loopback (`sudo ip link set lo up multicast on`), let the firewall pass UDP on it, '
    'try `export FASTDDS_BUILTIN_TRANSPORTS=UDPv4`, and another ROS_DOMAIN_ID (0 to 101)'
)


def look() -> Finding:
    """Start a talker and a listener and wait until the listener has heard the talker."""
    domain = os.environ.get('ROS_DOMAIN_ID', '0')
    where = f'domain {domain}, range {os.environ.get("ROS_AUTOMATIC_DISCOVERY_RANGE", "SUBNET")}'
    topic = f'/continua_doctor_{os.getpid()}'
    talk, listen = ([sys.executable, '-m', __spec__.name, role, topic] for role in ('talk', 'listen'))
    start = time.monotonic()
    talker = subprocess.Popen(talk, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        listener = subprocess.run(listen, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        listener = None
    finally:
        _end(talker)
    seconds = time.monotonic() - start
    if listener and listener.returncode == 0:
        return ok(f'two processes met after {seconds:.1f} s ({where})')
    if listener:
        last = (listener.stderr.strip().splitlines() or [f'exit code {listener.returncode}'])[-1]
        return fail(f'the listener ended: {last} ({where})', REMEDY)
    return fail(f'two processes did not meet within {PATIENCE:.0f} s ({where})', REMEDY)


def _end(process: subprocess.Popen) -> None:
    """End by SIGTERM, after which Fast DDS leaves no shared memory behind."""
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _talk(topic: str) -> None:
    """Offer a message for good; the parent ends this process."""
    import rclpy
    from rclpy.qos import DurabilityPolicy, QoSProfile
    from std_msgs.msg import String

    rclpy.init(args=[])
    node = rclpy.create_node('doctor_talker')
    profile = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    node.create_publisher(String, topic, profile).publish(String(data='hello'))
    while rclpy.ok():
        rclpy.spin_once(node, timeout_sec=0.5)


def _listen(topic: str) -> None:
    """End when the message has come."""
    import rclpy
    from rclpy.qos import DurabilityPolicy, QoSProfile
    from std_msgs.msg import String

    rclpy.init(args=[])
    node = rclpy.create_node('doctor_listener')
    heard = []
    profile = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    node.create_subscription(String, topic, heard.append, profile)
    while not heard:
        rclpy.spin_once(node, timeout_sec=0.5)
    rclpy.shutdown()


if __name__ == '__main__':
    {'talk': _talk, 'listen': _listen}[sys.argv[1]](sys.argv[2])
