"""Finds packages, executables and launch files in the ament index, with near matches where there are none."""

import os
import shutil
from pathlib import Path

from ament_index_python import packages

from .errors import LaunchError, did_you_mean, listed

OWN_PACKAGE = 'continua_bringup'


def package_prefix(package: str) -> str:
    try:
        return packages.get_package_prefix(package)
    except (packages.PackageNotFoundError, ValueError) as error:
        known = packages.get_packages_with_prefixes()
        raise LaunchError(
            f'package {package!r} is not installed{did_you_mean(package, known)}; '
            'build it, and source the workspace (`source env.sh`)'
        ) from error


def package_share(package: str) -> str:
    return os.path.join(package_prefix(package), 'share', package)


def executable(package: str, name: str) -> str:
    """The path of an executable of a package: <prefix>/lib/<package>/<name>."""
    folder = Path(package_prefix(package), 'lib', package)
    path = folder / name
    if name and path.is_file() and os.access(path, os.X_OK):
        return str(path)
    known = sorted(entry.name for entry in folder.glob('*') if entry.is_file() and os.access(entry, os.X_OK))
    raise LaunchError(
        f'package {package!r} has no executable {name!r} in {folder}{did_you_mean(name, known)}; '
        f'it has: {listed(known)}'
    )


def program(name: str, environment: dict[str, str]) -> str:
    """The path of a program of an <executable>: as the shell would find it."""
    path = shutil.which(name, path=environment.get('PATH', os.defpath))
    if path is None:
        raise LaunchError(f'program {name!r} is not on the PATH, or not executable')
    return path


def launch_file(name: str) -> str:
    """A path as it is, else the installed file of `NAME` or `package/NAME`, with or without `.launch.xml`."""
    if os.path.isfile(name):
        return os.path.abspath(name)  # not resolved: $(dirname) of a linked file is the link's folder
    package, _, rest = name.partition('/') if '/' in name else (OWN_PACKAGE, '', name)
    stem = rest.removesuffix('.launch.xml')
    if package in packages.get_packages_with_prefixes() and stem in (found := _launch_files(package)):
        return found[stem]
    own = _launch_files(OWN_PACKAGE)
    raise LaunchError(
        f'no launch file {name!r}: neither a file nor installed{did_you_mean(stem, own)}; '
        f'installed in {OWN_PACKAGE}: {listed(own)}'
    )


def _launch_files(package: str) -> dict[str, str]:
    """The launch files anywhere in a package's share folder, by name without `.launch.xml`."""
    paths = sorted(Path(package_share(package)).rglob('*.launch.xml'))
    return {path.name.removesuffix('.launch.xml'): str(path) for path in paths}
