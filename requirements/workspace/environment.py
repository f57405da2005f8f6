"""The virtual environment .venv: made, repaired, and described for the shell."""

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import debian
from machine import Ros
from stamps import Stamps, digest
from step import run_step

INTERRUPTED = 'installing'


@dataclass(frozen=True)
class Environment:
    """The checkout, its virtual environment and the ROS 2 it stands on (None: the wheels)."""

    root: Path
    ros: Ros | None

    @property
    def folder(self) -> Path:
        return self.root / '.venv'

    @property
    def python(self) -> Path:
        return self.folder / 'bin' / 'python'

    @property
    def include(self) -> Path:
        """Where Python's C headers are put if the system has none."""
        return self.folder / 'include' / f'python{sys.version_info.major}.{sys.version_info.minor}'

    @property
    def stamps(self) -> Stamps:
        return Stamps(self.folder / 'continua_setup.json')

    @property
    def key(self) -> str:
        """Digest of what the environment depends on: a change of any of it means a new one."""
        ros = f'{self.ros.distribution} {self.ros.numpy}' if self.ros else 'wheels'
        return digest(sys.version, os.path.realpath(sys.executable), str(self.root), ros)

    def log(self, step: str) -> Path:
        return self.root / 'log' / 'setup' / f'{step}.log'

    def variables(self) -> dict[str, str]:
        """Environment variables of a build: .venv and ROS 2, nothing of an earlier build."""
        clean = '' if self.ros else 'unset PYTHONPATH CMAKE_PREFIX_PATH COLCON_PREFIX_PATH; '
        script = f'{clean}. "{self.folder}/bin/activate" && . "{self.folder}/local_setup.sh" && env -0'
        output = subprocess.run(['sh', '-c', script], check=True, capture_output=True, text=True).stdout
        return dict(item.split('=', 1) for item in output.split('\0') if '=' in item)


def make_environment(root: Path, ros: Ros | None) -> Environment:
    """Return the environment; make it first if it is missing, broken, or of another Python or ROS 2."""
    environment = Environment(root, ros)
    if environment.stamps.is_current('environment', environment.key) and _is_sound(environment):
        return environment
    if ros:
        print(f'set-up: using the sourced ROS 2 {ros.distribution}; no ROS wheels are installed', flush=True)
    # build and install hold paths of the old environment.
    for folder in (environment.folder, root / 'build', root / 'install'):
        if folder.exists():
            print(f'set-up: remove {folder.name}/: incomplete, or of another Python or ROS 2', flush=True)
            shutil.rmtree(folder)
    _make_venv(environment)
    _provide_headers(environment)
    (environment.folder / 'local_setup.sh').write_text(_local_setup(environment))
    environment.stamps.set('environment', environment.key)
    return environment


def _is_sound(environment: Environment) -> bool:
    """Tell whether the interpreter runs, finds pip, and no installation was cut off in the middle."""
    if environment.stamps.has(INTERRUPTED):
        return False
    # -I: the modules of a sourced ROS 2 must not help out.
    command = [environment.python, '-I', '-c', 'import pip']
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


def _make_venv(environment: Environment) -> None:
    """Make the folder with its interpreter and the pip of our constraints, which resumes downloads."""
    has_pip = importlib.util.find_spec('ensurepip') is not None
    command = [sys.executable, '-m', 'venv', str(environment.folder)]
    command += [] if has_pip else ['--without-pip']
    command += ['--system-site-packages'] if environment.ros else []
    run_step('make .venv', command, environment.log('venv'))
    pip, variables = (['-m', 'pip'], {}) if has_pip else _debian_pip(environment)
    constraints = environment.root / 'requirements' / 'constraints.txt'
    command = [str(environment.python), *pip, 'install', '--ignore-installed', '-c', str(constraints), 'pip']
    run_step('install pip', command, environment.log('pip'), {**os.environ, **variables})


def _debian_pip(environment: Environment) -> tuple[list[str], dict[str, str]]:
    """Return how Python runs Debian's own pip, unpacked into .venv: arguments and variables."""
    unpacked = environment.folder / 'debian'
    for package in debian.PIP:
        debian.unpack(package, unpacked, environment.log(package))
    library = unpacked / 'usr' / 'lib' / environment.include.name
    distutils = Path(sysconfig.get_path('stdlib'), 'distutils')
    if distutils.exists():
        # The package python3-distutils leaves these files to the interpreter's.
        shutil.copytree(distutils, library / 'distutils', dirs_exist_ok=True)
    (wheel,) = (unpacked / 'usr' / 'share' / 'python-wheels').glob('pip-*.whl')
    return [str(wheel / 'pip')], {'PYTHONPATH': str(library)}


def _provide_headers(environment: Environment) -> None:
    """Put Python's C headers, which message packages are compiled with, into .venv if the system has none."""
    if (Path(sysconfig.get_path('include')) / 'Python.h').exists():
        return
    unpacked = environment.folder / 'debian'
    debian.unpack(debian.HEADERS, unpacked, environment.log(debian.HEADERS))
    headers = unpacked / 'usr' / 'include' / environment.include.name
    shutil.copytree(headers, environment.include, dirs_exist_ok=True)
    # Debian's pyconfig.h only includes the one of the architecture: put that in its place.
    (pyconfig,) = (unpacked / 'usr' / 'include').glob(f'*-linux-gnu/{environment.include.name}/pyconfig.h')
    shutil.copy(pyconfig, environment.include / 'pyconfig.h')


WHEELS_SETUP = """\
export AMENT_PREFIX_PATH="{folder}"
# Otherwise every Python sets these two for itself and starts again (ros_wheels_bootstrapper).
for _continua_libs in "{folder}"/lib/python3*/site-packages/ros_*.libs "{folder}/lib"; do
    case ":${{LD_LIBRARY_PATH:-}}:" in
        *":$_continua_libs:"*) ;;
        *) export LD_LIBRARY_PATH="$_continua_libs${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}" ;;
    esac
done
unset _continua_libs
export _ROS_WHEELS_BOOTSTRAP_COMPLETE=1
"""


def _local_setup(environment: Environment) -> str:
    """Return shell text that puts .venv below the workspace; colcon expects this file in a prefix."""
    head = '# Written by the set-up, read by env.sh.\n'
    if environment.ros:
        return f'{head}CONTINUA_ROS="{environment.ros.distribution}"\n'
    return f'{head}CONTINUA_ROS=""\n' + WHEELS_SETUP.format(folder=environment.folder)
