"""Every package.xml is valid, agrees with setup.py and with its neighbours, and lists what the code uses."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from catkin_pkg.package import InvalidPackage, parse_package
from catkin_pkg.package import Package as Manifest

from continua_tests.rules.imports import imported_modules
from continua_tests.rules.repository import Package, Repository, Violation

__all__ = ['agree', 'dependencies', 'find_pytest', 'valid']

# Without rcl_interfaces and builtin_interfaces, which rclpy brings itself.
_ROS_PACKAGE = re.compile(r'(continua\w*|rclpy|ament_\w+|\w+_msgs|\w+_srvs)$')


def valid(repository: Repository) -> Iterator[Violation]:
    """Every package.xml parses (colcon drops an invalid one without a word), names its folder and licence."""
    for package in repository.packages():
        warnings: list[str] = []
        try:
            manifest = parse_package(str(package.manifest), warnings=warnings)
        except InvalidPackage as error:
            yield Violation(package.manifest, 1, str(error))
            continue
        for warning in warnings:
            yield Violation(package.manifest, 1, warning)
        if manifest.name != package.name:
            yield _at(package, 'name', f'is called {manifest.name}, but lies in {package.name}')
        if manifest.licenses != ['Apache-2.0']:
            yield _at(package, 'license', f'licence is {manifest.licenses}, expected Apache-2.0')


def agree(repository: Repository) -> Iterator[Violation]:
    """One version in all packages; setup.py says the same name, version, description and licence."""
    manifests = _manifests(repository)
    versions = {manifest.version for _, manifest in manifests}
    for package, manifest in manifests:
        if len(versions) > 1:
            yield _at(package, 'version', f'version {manifest.version}, but there are {sorted(versions)}')
        expected = {
            'name': manifest.name,
            'version': manifest.version,
            'description': manifest.description,
            'license': manifest.licenses[0] if manifest.licenses else '',
        }
        for key, value in expected.items() if package.setup else ():
            given = ast.literal_eval(package.setup[key]) if key in package.setup else None
            if given != value:
                sentence = f'{key} is {given!r}, expected {value!r} as in package.xml'
                yield Violation(package.folder / 'setup.py', 1, sentence)


def dependencies(repository: Repository) -> Iterator[Violation]:
    """What code, tests and launch files use of other packages is listed in package.xml."""
    for package, manifest in _manifests(repository):
        at_run = {entry.name for entry in (*manifest.exec_depends, *manifest.build_depends)}
        for_tests = at_run | {entry.name for entry in manifest.test_depends}
        reported = set()
        for tag, listed, used in (
            ('exec_depend', at_run, _used(package, package.code())),
            ('exec_depend', at_run, _launched(repository, package)),
            ('test_depend', for_tests, _used(package, package.tests())),
        ):
            for path, line, name in used:
                if name not in listed | reported | {package.name}:
                    reported.add(name)
                    yield Violation(path, line, f'add <{tag}>{name}</{tag}> to {package.name}/package.xml')


def find_pytest(repository: Repository) -> Iterator[Violation]:
    """setup.py has extras_require 'test' with pytest: without, colcon test runs none of its tests."""
    for package in repository.packages():
        if package.setup and package.tests():
            extras = package.setup.get('extras_require')
            if extras is None or 'pytest' not in ast.literal_eval(extras).get('test', []):
                sentence = "add extras_require={'test': ['pytest']}, or colcon test finds 0 tests"
                yield Violation(package.folder / 'setup.py', 1, sentence)


def _manifests(repository: Repository) -> list[tuple[Package, Manifest]]:
    return [(package, parse_package(str(package.manifest))) for package in repository.packages()]


def _used(package: Package, paths: list[Path]) -> Iterator[tuple[Path, int, str]]:
    for path in paths:
        for line, module in imported_modules(path, package):
            name = module.partition('.')[0]
            if _ROS_PACKAGE.match(name):
                yield path, line, name


def _launched(repository: Repository, package: Package) -> Iterator[tuple[Path, int, str]]:
    """Packages whose executables the launch files start; continua_bringup installs these files."""
    if package.name != 'continua_bringup':
        return
    for path in sorted((repository.root / 'launch').rglob('*.launch.xml')):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            yield from ((path, number, name) for name in re.findall(r'<node pkg="(\w+)"', line))


def _at(package: Package, tag: str, sentence: str) -> Violation:
    lines = package.manifest.read_text().splitlines()
    line = next((number for number, text in enumerate(lines, 1) if f'<{tag}' in text), 1)
    return Violation(package.manifest, line, sentence)
