"""`<node>` and `<executable>` elements -> processes of the plan."""

import os
import re
import shlex

from . import find, parameters, substitutions
from .errors import LaunchError, listed
from .plan import OUTPUTS, NodePlan, Parameter, ParameterFile, ProcessPlan
from .scope import Scope, join_namespaces
from .xml_reader import Element

_NODE_NAME = re.compile(r'[A-Za-z_][A-Za-z0-9_]*')


def node_process(element: Element, scope: Scope, number: int) -> ProcessPlan:
    """The process of a `<node>`; its executable exists. LaunchError with the element's place."""
    try:
        return _node_process(element, scope, number)
    except LaunchError as error:
        raise error.at(element.file, element.line) from error


def executable_process(element: Element, scope: Scope, number: int) -> ProcessPlan:
    """The process of an `<executable>`; its program exists. LaunchError with the element's place."""
    try:
        command = _command_line(element, 'cmd', scope)
        label = scope.attribute(element, 'name', os.path.basename(command[0]))
        return ProcessPlan(
            label=f'{label}-{number}',
            command=(find.program(command[0], scope.environment), *command[1:]),
            environment=dict(scope.environment),
            output=_output(element, scope),
            file=element.file,
            line=element.line,
        )
    except LaunchError as error:
        raise error.at(element.file, element.line) from error


def _node_process(element: Element, scope: Scope, number: int) -> ProcessPlan:
    package, executable = scope.attribute(element, 'pkg'), scope.attribute(element, 'exec')
    name = scope.attribute(element, 'name') if 'name' in element.attributes else None
    if name is not None and not _NODE_NAME.fullmatch(name):
        raise LaunchError(f'{name!r} is not a valid node name (letters, digits and _, no digit first)')
    namespace = scope.attribute(element, 'namespace') if 'namespace' in element.attributes else None
    ros_arguments = _command_line(element, 'ros_args', scope)
    node = NodePlan(
        package=package,
        executable=executable,
        name=name,
        namespace=join_namespaces(scope.namespace, namespace),
        overrides=scope.overrides,
        parameters=tuple(_parameter(child, scope) for child in element.children if child.tag == 'param'),
        remappings=_pairs(element, 'remap', ('from', 'to'), scope),
    )
    return ProcessPlan(
        label=f'{os.path.basename(executable)}-{number}',
        command=(
            find.executable(package, executable),
            *_command_line(element, 'args', scope),
            *(['--ros-args', *ros_arguments] if ros_arguments else []),
        ),
        environment=scope.environment | dict(_pairs(element, 'env', ('name', 'value'), scope)),
        node=node,
        output=_output(element, scope),
        respawn=substitutions.truth(scope.attribute(element, 'respawn', 'false')),
        respawn_delay=_respawn_delay(element),
        is_required=_is_required(element),
        file=element.file,
        line=element.line,
    )


def _pairs(element: Element, tag: str, names: tuple[str, str], scope: Scope) -> tuple[tuple[str, str], ...]:
    first, second = names
    return tuple(
        (scope.attribute(child, first), scope.attribute(child, second))
        for child in element.children
        if child.tag == tag
    )


def _parameter(element: Element, scope: Scope) -> ParameterFile | Parameter:
    given = set(element.attributes)
    if given == {'from'}:
        path = scope.attribute(element, 'from')
        if not os.path.isfile(path):
            raise element.error(f'parameter file {path} does not exist')
        return ParameterFile(os.path.abspath(path))
    if not {'name', 'value'} <= given or 'from' in given:
        raise element.error('<param> needs either `name` and `value` (and perhaps `type`), or `from` alone')
    try:
        value = parameters.value(
            element.attributes['value'],
            element.attributes.get('type', 'yaml'),
            lambda text: scope.expand(text, element),
        )
    except LaunchError as error:
        raise error.at(element.file, element.line) from error
    return Parameter(scope.attribute(element, 'name'), value)


def _output(element: Element, scope: Scope) -> str:
    output = scope.attribute(element, 'output', 'log')
    if output not in OUTPUTS:
        raise LaunchError(f'output {output!r} is not supported; supported: {listed(OUTPUTS)}')
    return output


def _respawn_delay(element: Element) -> float:
    text = element.attributes.get('respawn_delay', '0')
    try:
        delay = float(text)
    except ValueError:
        delay = -1.0
    if not 0.0 <= delay < float('inf'):
        raise LaunchError(f'respawn_delay must be seconds, zero or more, got {text!r}')
    return delay


def _is_required(element: Element) -> bool:
    text = element.attributes.get('on_exit')
    if text not in (None, 'shutdown'):
        raise LaunchError(f'on_exit {text!r} is not supported; supported: shutdown')
    return text is not None


def _command_line(element: Element, name: str, scope: Scope) -> list[str]:
    """The words of a command: plain text is split as a shell does, a substitution's value never."""
    if not element.attributes.get(name, 'absent').strip():
        raise LaunchError(f'attribute {name!r} is empty')
    words: list[str] = []
    is_open = False  # whether the next part continues the last word
    for part in substitutions.parse(element.attributes.get(name, '')):
        if isinstance(part, str):
            pieces = _split(part)
            is_open = is_open and not part[0].isspace()
        else:
            pieces = [scope.evaluate((part,), element)]
        if is_open and pieces:
            words[-1] += pieces.pop(0)
        words += pieces
        is_open = not isinstance(part, str) or not part[-1].isspace()
    return words


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise LaunchError(
            f'cannot split {text!r} into words: {error} (quotes cannot span a substitution)'
        ) from error
