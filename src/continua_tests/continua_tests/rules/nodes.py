"""Executables, their node files, their parameters, and the YAML and launch files that set them."""

import ast
import importlib
import itertools
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from continua.description.errors import did_you_mean
from continua_bringup.launch.errors import LaunchError
from continua_bringup.launch.expansion import declared_arguments, expand
from continua_bringup.launch.plan import NodePlan, ParameterFile, ProcessPlan
from continua_node.params import SETTINGS_ID, Parameter
from continua_tests.rules.repository import Executable, Package, Repository, Violation

__all__ = ['described', 'launch_files', 'named', 'settings_files']

Declared = Callable[[Executable], list[Parameter]]


def parameters_of(executable: Executable) -> list[Parameter]:
    """What the executable's node declares: `PARAMETERS` of its module, and settings_id."""
    return [SETTINGS_ID, *importlib.import_module(executable.module).PARAMETERS]


def named(repository: Repository) -> Iterator[Violation]:
    """Executable NAME runs `main` of NAME_node.py, whose docstring says what the node does."""
    for package, executable in _nodes(repository):
        path = package.folder / f'{executable.module.replace(".", "/")}.py'
        setup = package.folder / ('setup.py' if package.setup else 'setup.cfg')
        if not path.is_file():
            yield Violation(setup, 1, f'{executable.name}: there is no module {executable.module}')
            continue
        if path.stem != f'{executable.name}_node':
            yield Violation(path, 1, f'call it {executable.name}_node.py, as its executable')
        tree = ast.parse(path.read_text())
        if not ast.get_docstring(tree):
            yield Violation(
                path, 1, 'add a docstring: what it does, inputs, outputs, and when an input is late'
            )
        functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        if executable.function not in functions:
            yield Violation(setup, 1, f'{executable.name}: {path.name} has no function {executable.function}')


def described(repository: Repository, declared: Declared = parameters_of) -> Iterator[Violation]:
    """Every parameter has a description of more than one word."""
    for package, executable in _nodes(repository):
        path = package.folder / f'{executable.module.replace(".", "/")}.py'
        for parameter in declared(executable):
            if len(parameter.description.split()) < 2:
                sentence = f'say what parameter {parameter.name} does; its description is all that users see'
                yield Violation(path, _line(path, f"'{parameter.name}'"), sentence)


def settings_files(repository: Repository, declared: Declared = parameters_of) -> Iterator[Violation]:
    """Node NAME has config/nodes/NAME.yaml, keyed /**/NAME, with settings_id and declared parameters only."""
    folder = repository.root / 'config' / 'nodes'
    nodes = {executable.name: executable for _, executable in _nodes(repository)}
    for name in sorted(nodes.keys() - {path.stem for path in folder.glob('*.yaml')}):
        yield Violation(folder / f'{name}.yaml', 1, f'does not exist; give node {name} its settings')
    for path in sorted(folder.glob('*.yaml')):
        if path.stem not in nodes:
            yield Violation(
                path, 1, f'no executable is called {path.stem} ({did_you_mean(path.stem, nodes)})'
            )
            continue
        content = yaml.safe_load(path.read_text())
        key = f'/**/{path.stem}'
        if list(content) != [key] or list(content[key]) != ['ros__parameters']:
            yield Violation(path, 1, f'expected one key {key}, and ros__parameters below it')
            continue
        values = content[key]['ros__parameters']
        if 'settings_id' not in values:
            yield Violation(path, 1, 'add settings_id: it shows that a node has read the file')
        for name, sentence in _wrong(values, declared(nodes[path.stem])):
            yield Violation(path, _line(path, f'{name}:'), sentence)


def launch_files(repository: Repository, declared: Declared = parameters_of) -> Iterator[Violation]:
    """With every choice of arguments, a launch file gives each node declared parameters and all it needs."""
    for path in sorted((repository.root / 'launch').glob('*.launch.xml')):
        yield from dict.fromkeys(_launch_file(path, repository, declared))


def _launch_file(path: Path, repository: Repository, declared: Declared) -> Iterator[Violation]:
    nodes = {(package.name, node.name): node for package, node in _nodes(repository)}
    for values in _choices(path):
        try:
            description = expand(str(path), values)
        except LaunchError as error:
            yield Violation(Path(error.file or path), error.line or 1, f'with {values}: {error.message}')
            continue
        for process in description.processes:
            node = process.node
            if node and (executable := nodes.get((node.package, node.executable))):
                yield from _launched(process, node, executable, declared(executable))


def _launched(
    process: ProcessPlan, node: NodePlan, executable: Executable, parameters: list[Parameter]
) -> Iterator[Violation]:
    place = Path(process.file), process.line
    if node.name != executable.name:
        yield Violation(*place, f'call the node {executable.name}, as its executable; it is {node.name}')
    values: dict[str, Any] = {}
    for parameter in node.parameters:
        if isinstance(parameter, ParameterFile):
            content = yaml.safe_load(Path(parameter.path).read_text())
            values |= content.get(f'/**/{node.name}', {}).get('ros__parameters', {})
        else:
            values[parameter.name] = parameter.value
    for _, sentence in _wrong(values, parameters):
        yield Violation(*place, sentence)
    for parameter in parameters:
        if parameter.is_mandatory and values.get(parameter.name) in (None, ''):
            yield Violation(*place, f'{node.name} needs parameter {parameter.name}: {parameter.description}')


def _choices(path: Path) -> Iterator[Mapping[str, str]]:
    """All combinations of the file's own arguments that have choices or are true or false."""
    arguments, _ = declared_arguments(str(path), {})
    options = {
        argument.name: argument.choices or ('true', 'false')
        for argument in arguments
        if argument.file == str(path) and (argument.choices or argument.default in ('true', 'false'))
    }
    for combination in itertools.product(*options.values()):
        yield dict(zip(options, combination, strict=True))


def _wrong(values: Mapping[str, Any], parameters: list[Parameter]) -> Iterator[tuple[str, str]]:
    """(name, sentence) of each value that no parameter takes."""
    known = {parameter.name: parameter for parameter in parameters}
    for name, value in values.items():
        if name not in known:
            yield name, f'no parameter is called {name} ({did_you_mean(name, sorted(known))})'
            continue
        try:
            known[name].converted(value)
        except ValueError as error:
            yield name, f'{name} {error}'


def _nodes(repository: Repository) -> Iterator[tuple[Package, Executable]]:
    for package in repository.packages():
        if package.name != 'continua':  # the command, no node
            yield from ((package, executable) for executable in package.executables())


def _line(path: Path, text: str) -> int:
    """Of the first line that holds the text."""
    lines = path.read_text().splitlines()
    return next((number for number, line in enumerate(lines, 1) if text in line), 1)
