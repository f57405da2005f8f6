"""Expands a launch file with its arguments into a plan, in the order and with the scopes of ROS 2.

`<group>` opens a scope of its own (unless scoped="false"). `<include>` does not: what the included file
declares stays visible after it, and what the including file has set is visible in it.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from . import parameters, schema
from .errors import LaunchError, did_you_mean, listed
from .nodes import executable_process, node_process
from .plan import Argument, Description, ProcessPlan
from .scope import Scope, join_namespaces
from .substitutions import unescape
from .xml_reader import Element

MAX_INCLUDES = 32


def expand(file: str, arguments: Mapping[str, str]) -> Description:
    """The processes that `file` asks for with `arguments`; LaunchError with file and line."""
    scope = Scope(dict(arguments), dict(os.environ))
    expansion = Expansion()
    expansion.file(file, scope, arguments)
    return Description(file, scope.arguments, expansion.declared, tuple(expansion.processes))


def declared_arguments(file: str, arguments: Mapping[str, str]) -> tuple[list[Argument], LaunchError | None]:
    """The arguments of a file and its includes as far as it can be expanded, and the error that ended it."""
    expansion = Expansion()
    try:
        expansion.file(file, Scope(dict(arguments), dict(os.environ)), arguments)
    except LaunchError as error:
        if not expansion.declared:
            raise
        return list(expansion.declared.values()), error
    return list(expansion.declared.values()), None


@dataclass
class Expansion:
    """One walk through a file and all that it includes."""

    declared: dict[str, Argument] = field(default_factory=dict)
    processes: list[ProcessPlan] = field(default_factory=list)
    _names: list[set[str]] = field(
        default_factory=list
    )  # argument names of each file, in the order of reading
    _given: list[Mapping[str, str]] = field(default_factory=list)  # to each file that is being expanded

    def file(self, path: str, scope: Scope, given: Mapping[str, str]) -> None:
        """Expands one file into `scope`, where `given` is set already; LaunchError for one that it lacks."""
        if len(self._given) >= MAX_INCLUDES:
            raise LaunchError(
                f'includes are nested more than {MAX_INCLUDES} deep; does {path} include itself?'
            )
        root = schema.load(path)
        first = len(self._names)
        self._names.append(set())
        for element in _arguments(root):
            argument = _argument(element)
            self._names[-1].add(argument.name)
            self.declared.setdefault(argument.name, argument)
        self._given.append(given)
        self._children(root, scope)
        self._given.pop()
        known = set().union(*self._names[first:])
        for name in given:
            if name not in known:
                raise LaunchError(
                    f'{path} has no argument {name!r}{did_you_mean(name, known)}; '
                    f'it has: {listed(sorted(known))}'
                )

    def _children(self, parent: Element, scope: Scope) -> None:
        for element in parent.children:
            if scope.applies(element):
                try:
                    getattr(self, f'_{element.tag}')(element, scope)
                except LaunchError as error:
                    raise error.at(element.file, element.line) from error

    def _arg(self, element: Element, scope: Scope) -> None:
        argument = _argument(element)
        # What happens to be set under the same name outside does not count as given, as in ROS 2.
        if argument.default is None and argument.name not in self._given[-1]:
            raise LaunchError(
                f'argument {argument.name!r} has no default and is not given (as {argument.name}:=VALUE, '
                f'or by the <include> of this file); given are: {listed(self._given[-1])}'
            )
        if argument.name not in scope.arguments:
            scope.arguments[argument.name] = scope.expand(argument.default, element)
        value = scope.arguments[argument.name]
        if argument.choices and value not in argument.choices:
            raise LaunchError(
                f'argument {argument.name!r} cannot be {value!r}{did_you_mean(value, argument.choices)}; '
                f'choices: {listed(argument.choices)}'
            )

    def _let(self, element: Element, scope: Scope) -> None:
        scope.arguments[scope.attribute(element, 'name')] = scope.attribute(element, 'value')

    def _node(self, element: Element, scope: Scope) -> None:
        self.processes.append(node_process(element, scope, len(self.processes) + 1))

    def _executable(self, element: Element, scope: Scope) -> None:
        self.processes.append(executable_process(element, scope, len(self.processes) + 1))

    def _group(self, element: Element, scope: Scope) -> None:
        text = element.attributes.get('scoped', 'true')
        if text.lower() not in ('true', 'false', '1', '0'):
            raise LaunchError(f'scoped must be true or false, got {text!r}')
        self._children(element, scope.copy() if text.lower() in ('true', '1') else scope)

    def _include(self, element: Element, scope: Scope) -> None:
        path = scope.attribute(element, 'file')
        if not path.endswith('.xml'):
            raise LaunchError(
                f'{path!r} cannot be included: only XML launch files (*.launch.xml) are supported'
            )
        if not os.path.isabs(path):
            raise LaunchError(f'{path!r} is relative: begin with $(dirname)/ or $(find-pkg-share PACKAGE)/')
        given = {}
        for argument in element.children:
            name = scope.attribute(argument, 'name')
            given[name] = scope.arguments[name] = scope.attribute(argument, 'value')
        self.file(path, scope, given)

    def _push_ros_namespace(self, element: Element, scope: Scope) -> None:
        scope.namespace = join_namespaces(scope.namespace, scope.attribute(element, 'namespace'))

    def _set_env(self, element: Element, scope: Scope) -> None:
        scope.environment[scope.attribute(element, 'name')] = scope.attribute(element, 'value')

    def _unset_env(self, element: Element, scope: Scope) -> None:
        scope.environment.pop(scope.attribute(element, 'name'), None)

    def _set_parameter(self, element: Element, scope: Scope) -> None:
        text = parameters.override(scope.attribute(element, 'value'))
        scope.overrides += ((scope.attribute(element, 'name'), text),)


def _arguments(parent: Element) -> Iterator[Element]:
    """The <arg> declarations of a file, also those in groups."""
    for element in parent.children:
        if element.tag == 'arg':
            yield element
        elif element.tag == 'group':
            yield from _arguments(element)


def _argument(element: Element) -> Argument:
    return Argument(
        name=unescape(element.attributes['name']),
        default=element.attributes.get('default'),
        description=unescape(element.attributes.get('description', '')),
        choices=tuple(unescape(choice.attributes['value']) for choice in element.children),
        file=element.file,
    )
