"""What has to be known of a message type to record it: its Python class, definition text and hash."""

import functools
import importlib
import json
from dataclasses import dataclass
from pathlib import Path

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory

from continua.io.definitions import message_definition

__all__ = ['MessageType', 'find_message_type']


@dataclass(frozen=True)
class MessageType:
    """name: `package/msg/Name`. definition: as of `continua.io.metadata.Topic`. hash: RIHS01, or empty."""

    name: str
    python_class: type
    definition: str
    hash: str


@functools.cache
def find_message_type(name: str) -> MessageType:
    """The installed type `package/msg/Name`.

    Raises ValueError, with what to do, where it is not installed.
    """
    package, *_, short = name.split('/')
    try:
        python_class = getattr(importlib.import_module(f'{package}.msg'), short)
        definition = message_definition(name, _definition_file)
        return MessageType(name, python_class, definition, _hash(package, short))
    except (ImportError, AttributeError, OSError, PackageNotFoundError) as error:
        raise ValueError(
            f'{name} is not installed here ({error}); source the workspace that has it'
        ) from None


def _definition_file(package: str, name: str) -> str:
    return _share(package, f'{name}.msg').read_text(encoding='utf-8')


def _hash(package: str, name: str) -> str:
    """From the type description that is installed beside the .msg file, from ROS 2 Iron on."""
    path = _share(package, f'{name}.json')
    if not path.exists():
        return ''
    hashes = json.loads(path.read_text(encoding='utf-8'))['type_hashes']
    return next(entry['hash_string'] for entry in hashes if entry['type_name'] == f'{package}/msg/{name}')


def _share(package: str, file: str) -> Path:
    return Path(get_package_share_directory(package), 'msg', file)
