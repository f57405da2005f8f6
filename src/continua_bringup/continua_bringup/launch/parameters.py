"""Values of `<param>` and `<set_parameter>`: YAML types unless `type` says otherwise, as in ROS 2."""

from collections.abc import Callable

import yaml

from .errors import LaunchError, did_you_mean, listed
from .substitutions import has_calls, parse, truth, unescape

Scalar = bool | int | float | str
Value = Scalar | list[Scalar]

# The words of `type`: the type of the value or its items (None: as YAML reads it), and whether it is a list.
TYPES: dict[str, tuple[type | None, bool]] = {
    'bool': (bool, False),
    'int': (int, False),
    'float': (float, False),
    'str': (str, False),
    'list_of_bool': (bool, True),
    'list_of_int': (int, True),
    'list_of_float': (float, True),
    'list_of_str': (str, True),
    'yaml': (None, False),
}


def value(text: str, type_name: str, expand: Callable[[str], str]) -> Value:
    """The value of a `<param>`; `expand` replaces the substitutions of a text.

    Where YAML decides, `text` is read as YAML first and substitutions are replaced in what that gives: an
    item of a list stays one item, whatever its substitution holds. LaunchError (without a place) for what
    ROS 2 has no parameter type for.
    """
    if type_name not in TYPES:
        raise LaunchError(
            f'unknown type {type_name!r}{did_you_mean(type_name, TYPES)}; supported: {listed(TYPES)}'
        )
    item_type, is_list = TYPES[type_name]
    raw = _yaml_or_text(text) if is_list or item_type is None else text
    if isinstance(raw, list):
        result: Value = [
            _text_item(item, item_type, expand) if isinstance(item, str) else item for item in raw
        ]
    elif is_list:
        raise LaunchError(f'{text!r} is not a list: {type_name} needs [..., ...]')
    elif isinstance(raw, str) and (item_type in (None, str) or has_calls(parse(raw))):
        result = _text_item(raw, item_type, expand)
    else:
        result = _scalar(text, item_type)
    _check_types(text, result, item_type)
    return result


def override(text: str) -> str:
    """The text of a `<set_parameter>` for `-p name:=text`; ROS 2 can pass scalars this way, but no lists."""
    result = _yaml(text)
    if not isinstance(result, Scalar) or result == '':
        raise LaunchError(
            f'set_parameter takes a boolean, number or text, got {text!r}; use <param> for lists'
        )
    return str(result)


def _text_item(text: str, item_type: type | None, expand: Callable[[str], str]) -> Value:
    """A text, or what its substitutions give read as `item_type`."""
    return _scalar(expand(text), item_type) if has_calls(parse(text)) else unescape(text)


def _scalar(text: str, item_type: type | None) -> Value:
    if item_type is None:
        return _yaml(text) if text else ''
    if item_type is bool:
        return truth(text)
    try:
        return item_type(text)
    except ValueError as error:
        raise LaunchError(f'{text!r} is not of type {item_type.__name__}') from error


def _check_types(text: str, result: Value, item_type: type | None) -> None:
    items = result if isinstance(result, list) else [result]
    if not all(isinstance(item, Scalar) for item in items):
        raise LaunchError(
            f'{text!r} is no boolean, number, text or list of these; '
            'for text that YAML reads as something else, add type="str"'
        )
    types = {type(item) for item in items}
    if len(types) > 1 or (item_type and types - {item_type}):
        wanted = f'be {item_type.__name__}' if item_type else 'have one type'
        raise LaunchError(f'the items of {text!r} must all {wanted} (among decimals write 1.0, not 1)')


def _yaml(text: str) -> object:
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise LaunchError(f'{text!r} is not YAML; for plain text add type="str"') from error


def _yaml_or_text(text: str) -> object:
    try:
        return _yaml(text) if text else ''
    except LaunchError:
        return text
