"""Imports go one way: between packages, and between the subjects of the library."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from continua_tests.rules.repository import Package, Repository, Violation

__all__ = ['LIBRARY', 'PACKAGES', 'imported_modules', 'library_order', 'no_ros_in_library', 'package_order']

_NODES = ('continua_drivers', 'continua_simulation', 'continua_estimation', 'continua_control')
_BELOW_NODES = {'continua', 'continua_msgs', 'continua_node'}
# What each package may import of the others.
PACKAGES = {
    'continua': set(),
    'continua_msgs': set(),
    'continua_node': {'continua', 'continua_msgs'},
    **dict.fromkeys(_NODES, _BELOW_NODES),
    'continua_bringup': {*_BELOW_NODES, *_NODES},
    'continua_tests': {*_BELOW_NODES, *_NODES, 'continua_bringup'},
}

_ROD = {'jit', 'linalg', 'arrays', 'lie', 'description', 'actuation'}
_MODEL = {*_ROD, 'rod', 'sensing', 'reduction', 'optimisation'}
# What each subject of the library may import of the others.
LIBRARY = {
    'jit': set(),
    'linalg': {'jit'},
    'arrays': set(),
    'optimisation': {'jit', 'linalg'},
    'lie': {'jit', 'linalg'},
    'description': {'jit', 'linalg', 'lie'},
    'actuation': {'jit', 'linalg', 'lie', 'description'},
    'rod': _ROD,
    'cosserat': {*_ROD, 'rod'},
    'surrogate': {*_ROD, 'rod', 'cosserat', 'reduction'},
    'sensing': {*_ROD, 'rod'},
    'reduction': {*_ROD, 'rod'},
    'prediction': {*_ROD, 'rod', 'cosserat', 'surrogate'},
    'estimation': _MODEL,
    'identification': {*_MODEL, 'cosserat', 'io'},
    'simulation': {*_MODEL, 'cosserat', 'estimation', 'control', 'identification'},
    # Models reach a controller as callables.
    'control': {'jit', 'linalg', 'arrays', 'lie', 'optimisation', 'description'},
    # Beside the mathematics.
    'devices': {'control'},
    'io': {'description'},
    'doctor': {'jit'},
    # The papers' studies use all that is there.
    'repro': {
        *_MODEL,
        'cosserat',
        'surrogate',
        'prediction',
        'estimation',
        'control',
        'identification',
        'simulation',
        'io',
        'doctor',
    },
}
_MAY_IMPORT_ALL = ('bench', 'cli', '__main__')

_ROS = re.compile(
    r'(rclpy|rcl_interfaces|builtin_interfaces|ament_\w+|rosidl_\w+|tf2_\w+|launch\w*|\w+_msgs|\w+_srvs|continua_\w+)(\.|$)'
)


def imported_modules(path: Path, package: Package) -> Iterator[tuple[int, str]]:
    """(line, full name) of what a file of the package imports, also by importlib with a name in quotes.

    `from a import b` counts as `a.b`, whether b is a module or not.
    """
    inside = path.relative_to(package.folder).with_suffix('').parts
    for node in ast.walk(ast.parse(path.read_text(), str(path))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = [*inside[: len(inside) - node.level]] if node.level else []
            base += [node.module] if node.module else []
            yield from ((node.lineno, '.'.join([*base, alias.name])) for alias in node.names)
        elif isinstance(node, ast.Call) and _name(node.func) in ('import_module', '__import__'):
            name = node.args[0] if node.args else None
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield node.lineno, name.value


def package_order(repository: Repository) -> Iterator[Violation]:
    """Only what `PACKAGES` allows, in code and tests."""
    known = {package.name for package in repository.packages()} | set(PACKAGES)
    for package in repository.packages():
        if package.name not in PACKAGES:
            yield Violation(package.manifest, 1, f'give {package.name} its place in {__name__}.PACKAGES')
            continue
        for path in [*package.code(), *package.tests()]:
            for line, module in imported_modules(path, package):
                other = module.partition('.')[0]
                if other in known - PACKAGES[package.name] - {package.name}:
                    yield Violation(path, line, _advice(package.name, other))


def no_ros_in_library(repository: Repository) -> Iterator[Violation]:
    """No rclpy, no messages, nothing of ROS anywhere under src/continua."""
    for package in repository.packages():
        if package.name != 'continua':
            continue
        for path in sorted(package.folder.rglob('*.py')):
            for line, module in imported_modules(path, package):
                if _ROS.match(module):
                    sentence = f'imports {module}; the library runs without ROS - convert in continua_node'
                    yield Violation(path, line, sentence)


def library_order(repository: Repository) -> Iterator[Violation]:
    """Only what `LIBRARY` allows."""
    for package in repository.packages():
        if package.name != 'continua':
            continue
        for path in package.code():
            subject = path.relative_to(package.folder).parts[1].removesuffix('.py')
            if subject in (*_MAY_IMPORT_ALL, '__init__'):
                continue
            if subject not in LIBRARY:
                yield Violation(path, 1, f'give {subject} its place in {__name__}.LIBRARY')
                continue
            yield from _library_file(path, package, subject)


def _library_file(path: Path, package: Package, subject: str) -> Iterator[Violation]:
    for line, module in imported_modules(path, package):
        parts = module.split('.')
        if parts[0] == 'continua' and len(parts) > 1 and parts[1] not in (LIBRARY[subject] | {subject}):
            allowed = ', '.join(sorted(LIBRARY[subject])) or 'no other subject'
            sentence = f'{subject} imports {parts[1]}, but may import only {allowed} - pass it as an argument'
            yield Violation(path, line, sentence)


def _advice(package: str, other: str) -> str:
    if package in _NODES and other in _NODES:
        return f'imports {other}; nodes talk by topics only - move shared code to continua_node'
    return f'{package} imports {other}, which stands above it - move the code down, or pass it in'


def _name(function: ast.expr) -> str:
    return getattr(function, 'attr', None) or getattr(function, 'id', '')
