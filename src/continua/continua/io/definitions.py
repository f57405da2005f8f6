"""The text that describes a message type inside a bag: its `.msg` file and all those it refers to."""

import re
from collections.abc import Callable

__all__ = ['message_definition']

_FIELD_TYPE = re.compile(r'^\s*([A-Za-z]\w*(?:/\w+)*)')
_PRIMITIVE = {'bool', 'byte', 'char', 'float32', 'float64', 'string', 'wstring'} | {
    f'{sign}int{bits}' for sign in ('', 'u') for bits in (8, 16, 32, 64)
}
_SEPARATOR = '=' * 80


def message_definition(type_name: str, read: Callable[[str, str], str]) -> str:
    """The definition of `package/msg/Name`, in the form that MCAP calls `ros2msg`.

    read(package, name) returns the text of `package/msg/name.msg`.
    """
    package, name = _split(type_name)
    texts = {(package, name): read(package, name)}
    pending = [(package, name)]
    while pending:
        package, name = pending.pop()
        for key in _references(texts[package, name], package):
            if key not in texts:
                texts[key] = read(*key)
                pending.append(key)
    root, *others = texts.items()
    return root[1] + ''.join(
        f'\n{_SEPARATOR}\nMSG: {package}/{name}\n{text}' for (package, name), text in others
    )


def _references(text: str, package: str) -> list[tuple[str, str]]:
    """(package, name) of every message type that a definition's fields use."""
    found = []
    for line in text.splitlines():
        match = _FIELD_TYPE.match(line.split('#', 1)[0])
        if match and match[1] not in _PRIMITIVE:
            found.append(_split(match[1] if '/' in match[1] else f'{package}/{match[1]}'))
    return found


def _split(type_name: str) -> tuple[str, str]:
    package, *middle, name = type_name.split('/')
    if middle not in ([], ['msg']):
        raise ValueError(
            f"message type '{type_name}': expected package/msg/Name; services and actions have no .msg file"
        )
    return package, name
