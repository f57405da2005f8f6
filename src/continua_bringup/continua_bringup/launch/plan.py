"""What a launch file asks for, once it is expanded: processes to start, and nothing started yet."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

import yaml

from .parameters import Value

# Where the two streams of a process go, by the attribute `output`: ({stdout}, {stderr}).
OUTPUTS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    'screen': (frozenset({'screen'}), frozenset({'screen'})),
    'log': (frozenset({'log'}), frozenset({'log', 'screen'})),
    'both': (frozenset({'log', 'screen'}), frozenset({'log', 'screen'})),
}


@dataclass(frozen=True)
class ParameterFile:
    path: str


@dataclass(frozen=True)
class Parameter:
    name: str
    value: Value


@dataclass(frozen=True)
class NodePlan:
    """The part of a process that ROS knows of; a name is None where the launch file leaves it to the node."""

    package: str
    executable: str
    name: str | None
    namespace: str | None
    overrides: tuple[
        tuple[str, str], ...
    ]  # of <set_parameter>: name and text, before the node's own parameters
    parameters: tuple[ParameterFile | Parameter, ...]
    remappings: tuple[tuple[str, str], ...]

    @property
    def full_name(self) -> str | None:
        """`/namespace/name`, where the launch file gives both."""
        if self.name is None or self.namespace is None:
            return None
        return f'{self.namespace.rstrip("/")}/{self.name}'


@dataclass(frozen=True)
class ProcessPlan:
    """One process: its command without ROS's generated arguments, and its whole environment."""

    label: str  # executable-N, as in every line of its output
    command: tuple[str, ...]
    environment: Mapping[str, str]
    node: NodePlan | None = None
    output: str = 'log'
    respawn: bool = False
    respawn_delay: float = 0.0
    is_required: bool = False  # whether its end stops all processes
    file: str = ''
    line: int = 0

    def arguments(self, folder: str) -> list[str]:
        """The whole command line; parameters with a value are written to files in `folder` first.

        Files rather than `-p`, as ROS 2 does: the value's type survives, and the file can be read afterwards.
        """
        if self.node is None:
            return list(self.command)
        rules = ['--ros-args']
        if self.node.name is not None:
            rules += ['-r', f'__node:={self.node.name}']
        if self.node.namespace is not None:
            rules += ['-r', f'__ns:={self.node.namespace}']
        for name, text in self.node.overrides:
            rules += ['-p', f'{name}:={text}']
        for index, parameter in enumerate(self.node.parameters):
            rules += ['--params-file', self._parameter_file(parameter, f'{folder}/{self.label}-{index}.yaml')]
        for old, new in self.node.remappings:
            rules += ['-r', f'{old}:={new}']
        return [*self.command, *rules]

    def _parameter_file(self, parameter: ParameterFile | Parameter, path: str) -> str:
        if isinstance(parameter, ParameterFile):
            return parameter.path
        assert self.node is not None
        content = {self.node.full_name or '/**': {'ros__parameters': {parameter.name: parameter.value}}}
        with open(path, 'w', encoding='utf-8') as file:
            yaml.safe_dump(content, file)
        return path

    def as_json(self) -> dict[str, object]:
        """What --print-processes shows; of the environment only what the launch file changes."""
        shown: dict[str, object] = {'label': self.label, 'file': self.file, 'line': self.line}
        if self.node is not None:
            shown |= {
                'package': self.node.package,
                'executable': self.node.executable,
                'name': self.node.name,
                'namespace': self.node.namespace,
                'parameters': [
                    *({'name': name, 'value': text} for name, text in self.node.overrides),
                    *(
                        {'from': item.path}
                        if isinstance(item, ParameterFile)
                        else {'name': item.name, 'value': item.value}
                        for item in self.node.parameters
                    ),
                ],
                'remappings': [{'from': old, 'to': new} for old, new in self.node.remappings],
            }
        changed = {name: value for name, value in self.environment.items() if os.environ.get(name) != value}
        removed = {name: None for name in os.environ if name not in self.environment}
        return shown | {
            'command': list(self.command),
            'environment': changed | removed,
            'output': self.output,
            'respawn': self.respawn,
            'respawn_delay': self.respawn_delay,
            'is_required': self.is_required,
        }


@dataclass(frozen=True)
class Argument:
    """A declared launch argument, for --show-args."""

    name: str
    default: str | None  # as written, with its substitutions
    description: str
    choices: tuple[str, ...]
    file: str


@dataclass(frozen=True)
class Description:
    """A launch file, expanded with its arguments."""

    file: str
    arguments: Mapping[str, str]
    declared: Mapping[str, Argument]
    processes: tuple[ProcessPlan, ...]

    def as_json(self) -> dict[str, object]:
        return {
            'file': self.file,
            'arguments': dict(self.arguments),
            'processes': [process.as_json() for process in self.processes],
        }
