"""What pip installs into the environment."""

import os
import re
from pathlib import Path

from environment import INTERRUPTED, Environment
from stamps import digest
from step import run_step

# The pinned versions may want a newer NumPy than the one a ROS 2 was built with: there pip chooses others.
NUMPY_USERS = ('contourpy', 'imageio', 'llvmlite', 'matplotlib', 'numba', 'scikit-learn', 'scipy', 'trimesh')


def install_packages(environment: Environment, dev: bool) -> None:
    """Install the requirement files whose content, or whose constraints, changed since the last time."""
    ros = [] if environment.ros else ['ros']
    _install(environment, 'packages', ['build', *ros, 'core', 'console'])
    if dev:
        _install(environment, 'tools', ['dev', 'peers', 'learning'])


def _install(environment: Environment, step: str, names: list[str]) -> None:
    folder = environment.root / 'requirements'
    files = [folder / f'{name}.txt' for name in names]
    key = digest(environment.key, *files, folder / 'constraints.txt')
    if environment.stamps.is_current(step, key):
        return
    command = [str(environment.python), '-m', 'pip', 'install', '--no-input', '--progress-bar=off']
    command += ['--disable-pip-version-check', '-c', str(_constraints(environment))]
    for file in files:
        command += ['-r', str(file)]
    # pip's own exit, whatever its code, leaves the environment usable: only one that was killed does not.
    environment.stamps.set(INTERRUPTED, environment.key)
    try:
        run_step(f'install {step} ({", ".join(names)})', command, environment.log(step), _pip_variables())
    except Exception:
        environment.stamps.clear(INTERRUPTED)
        raise
    environment.stamps.clear(INTERRUPTED)
    environment.stamps.set(step, key)


def _pip_variables() -> dict[str, str]:
    """Patience with a bad network, unless the user's own settings say otherwise."""
    patience = {'PIP_RETRIES': '10', 'PIP_RESUME_RETRIES': '10', 'PIP_DEFAULT_TIMEOUT': '60'}
    return {**patience, **os.environ}


def _constraints(environment: Environment) -> Path:
    """Return the constraints file; on an installed ROS 2, one that keeps the NumPy of its messages."""
    file = environment.root / 'requirements' / 'constraints.txt'
    if environment.ros is None:
        return file
    own = environment.folder / 'constraints.txt'
    own.write_text(constraints_for_numpy(file.read_text(), environment.ros.numpy))
    return own


def constraints_for_numpy(text: str, numpy: str) -> str:
    """Return the constraints with NumPy pinned to a version and the packages that depend on it let loose."""
    loose = {'numpy', *NUMPY_USERS}
    kept = [line for line in text.splitlines() if re.split(r'[=<>~! ;]', line, maxsplit=1)[0] not in loose]
    return '\n'.join([*kept, f'numpy=={numpy}']) + '\n'
