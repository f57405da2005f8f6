"""Which ROS 2 the nodes would run on, and whether its rclpy starts."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from continua.doctor.finding import Finding, fail, ok

__all__ = ['look']

START = (
    'import rclpy; rclpy.init(); rclpy.create_node("doctor", use_global_arguments=False); rclpy.shutdown()'
)


def look() -> Finding:
    """Start rclpy in a process of its own."""
    spec = find_spec('rclpy')
    if spec is None:
        return fail('no rclpy on the path', 'make setup && source env.sh, in a new shell')
    folder = Path(spec.origin).parent
    distribution = os.environ.get('ROS_DISTRO')
    found = f'{distribution or "wheels in .venv"}, {folder}'
    result = subprocess.run([sys.executable, '-c', START], capture_output=True, text=True, timeout=60)
    if result.returncode == 0:
        return ok(found)
    last = (result.stderr.strip().splitlines() or [f'exit code {result.returncode}'])[-1]
    remedy = 'source env.sh in a new shell; if that does not help: make clean setup'
    return fail(f'{found}: rclpy does not start: {last}', remedy)
