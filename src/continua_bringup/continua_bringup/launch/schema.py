"""Which element may stand where with which attributes: the subset that `ros2 launch` treats alike.

`load` reads a file, holds it against this table and parses every substitution in it, so that a mistake
anywhere in a file is found, also in a branch that is not taken this time.
"""

from dataclasses import dataclass, field
from pathlib import Path

from . import substitutions
from .errors import LaunchError, did_you_mean, listed
from .xml_reader import Element, read


@dataclass(frozen=True)
class Rule:
    """What one element may hold; `literal` attributes are those in which ROS 2 expands no `$(...)`."""

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    literal: tuple[str, ...] = ()
    children: 'dict[str, Rule]' = field(default_factory=dict)

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.required + self.optional


_CONDITION = ('if', 'unless')
_NAME_VALUE = Rule(required=('name', 'value'))

_ACTIONS: dict[str, Rule] = {
    'arg': Rule(
        required=('name',),
        optional=('default', 'description'),
        literal=('name', 'description'),
        children={'choice': Rule(required=('value',), literal=('value',))},
    ),
    'let': _NAME_VALUE,
    'node': Rule(
        required=('pkg', 'exec'),
        optional=(
            *('name', 'namespace', 'output', 'args', 'ros_args', 'respawn', 'respawn_delay', 'on_exit'),
            *_CONDITION,
        ),
        literal=('respawn_delay', 'on_exit'),
        children={
            'param': Rule(optional=('name', 'value', 'type', 'from'), literal=('type',)),
            'remap': Rule(required=('from', 'to')),
            'env': _NAME_VALUE,
        },
    ),
    'include': Rule(required=('file',), optional=_CONDITION, children={'arg': _NAME_VALUE}),
    'set_env': Rule(required=('name', 'value'), optional=_CONDITION),
    'unset_env': Rule(required=('name',), optional=_CONDITION),
    'set_parameter': Rule(required=('name', 'value'), optional=_CONDITION),
    'executable': Rule(required=('cmd',), optional=('name', 'output', *_CONDITION)),
}
_GROUP = Rule(
    optional=('scoped', *_CONDITION),
    literal=('scoped',),
    children={'push_ros_namespace': Rule(required=('namespace',))},
)
_GROUP.children.update(_ACTIONS, group=_GROUP)
LAUNCH = Rule(children={**_ACTIONS, 'group': _GROUP})


def load(path: str | Path) -> Element:
    """The checked `<launch>` element of a file; LaunchError with file and line."""
    root = read(path)
    if root.tag != 'launch':
        raise root.error(f'the root element must be <launch>, got <{root.tag}>')
    _check(root, LAUNCH)
    return root


def _check(element: Element, rule: Rule) -> None:
    for name in element.attributes:
        if name not in rule.attributes:
            raise element.error(
                f'<{element.tag}> has no attribute {name!r}{did_you_mean(name, rule.attributes)}; '
                f'supported: {listed(rule.attributes)}'
            )
    for name in rule.required:
        if name not in element.attributes:
            raise element.error(f'<{element.tag}> needs the attribute {name!r}')
    if 'if' in element.attributes and 'unless' in element.attributes:
        raise element.error(f'<{element.tag}> has both `if` and `unless`; use one')
    for name, value in element.attributes.items():
        _check_value(element, name, value, literal=name in rule.literal)
    for child in element.children:
        if child.tag not in rule.children:
            raise child.error(
                f'<{child.tag}> is not supported in <{element.tag}>{did_you_mean(child.tag, rule.children)}; '
                f'supported: {listed(rule.children)}'
            )
        _check(child, rule.children[child.tag])


def _check_value(element: Element, name: str, value: str, literal: bool) -> None:
    try:
        template = substitutions.parse(value)
    except LaunchError as error:
        raise element.error(f'attribute {name!r}: {error.message}') from error
    if literal and substitutions.has_calls(template):
        raise element.error(
            f'attribute {name!r} of <{element.tag}> must be plain text: ROS 2 expands no `$(` in it'
        )
