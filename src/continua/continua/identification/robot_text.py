"""Other numbers in the text of a robot file; comments, order and the way it is written stay."""

from typing import Any

import yaml

from continua.description import parse_robot

__all__ = ['with_values']


def with_values(text: str, changes: dict[tuple, float], header: str = '') -> str:
    """The text with numbers at the places of `changes`, keys and numbers of items, and lines of comment in
    front. A key that the file leaves to its default is added. Raises ValueError where the text cannot say it:
    where an alias (`*name`) gives one text to several numbers that differ.
    """
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    edits = {_edit(root, place, text): _number(value) for place, value in changes.items()}
    out = text
    for (begin, end, before, after), number in sorted(edits.items(), reverse=True):
        out = out[:begin] + before + number + after + out[end:]
    out = ''.join(f'# {line}'.rstrip() + '\n' for line in header.splitlines()) + out
    _check(out, changes)
    return out


def _edit(node: yaml.Node, place: tuple, text: str) -> tuple[int, int, str, str]:
    """Begin and end of what a number replaces in the text, and what goes before and after it."""
    *above, last = place
    for step in above:
        node = _below(node).get(step)
    inside = _below(node)
    if last in inside and isinstance(inside[last], yaml.ScalarNode):
        return inside[last].start_mark.index, inside[last].end_mark.index, '', ''
    if last not in inside and isinstance(node, yaml.MappingNode):
        return _insertion(node, last, text)
    raise ValueError(f'{_dotted(place)}: the robot file says this in another way; write the number out')


def _below(node: yaml.Node | None) -> dict[str | int, yaml.Node]:
    """Nodes by key or number; none below a number, a default or a text."""
    if isinstance(node, yaml.SequenceNode):
        return dict(enumerate(node.value))
    return {key.value: value for key, value in node.value} if isinstance(node, yaml.MappingNode) else {}


def _insertion(node: yaml.MappingNode, key: str, text: str) -> tuple[int, int, str, str]:
    """In front of the first key of a mapping in braces; else in a line after the first that is a scalar."""
    first = node.value[0][0].start_mark
    if node.flow_style:
        return first.index, first.index, f'{key}: ', ', '
    scalar = next((value for _, value in node.value if isinstance(value, yaml.ScalarNode)), None)
    if scalar is None:
        raise ValueError(f'{key}: no place for it in line {first.line + 1} of the robot file; write it there')
    end = text.find('\n', scalar.end_mark.index)
    end = len(text) if end < 0 else end
    return end, end, '\n' + ' ' * first.column + f'{key}: ', ''


def _check(text: str, changes: dict[tuple, float]) -> None:
    data: Any = parse_robot(text).model_dump(mode='json')
    for place, value in changes.items():
        found = data
        for step in place:
            found = found[step]
        if found != float(_number(value)):
            raise ValueError(
                f'{_dotted(place)}: expected {value:g} in the new robot file, got {found:g}; an alias gives '
                'one text to several numbers: write them out'
            )


def _number(value: float) -> str:
    """Six digits, as YAML 1.1 and 1.2 read them: with a point, and a sign in the exponent."""
    text = f'{value:.6g}'
    mantissa, _, exponent = text.partition('e')
    mantissa += '' if '.' in mantissa else '.0'
    return f'{mantissa}e{exponent}' if exponent else mantissa


def _dotted(place: tuple) -> str:
    return '.'.join(map(str, place))
