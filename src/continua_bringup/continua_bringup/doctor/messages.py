"""Whether the message packages are built, from this checkout, and from the definitions as they are now."""

import importlib
from pathlib import Path

from continua.doctor.checkout import checkout
from continua.doctor.finding import Finding, fail, ok

__all__ = ['look', 'stale_messages']

STANDARD = ('diagnostic_msgs', 'geometry_msgs', 'std_msgs', 'std_srvs', 'visualization_msgs')


def look() -> Finding:
    """Import every message package and compare ours with its sources."""
    for package in (*STANDARD, 'continua_msgs'):
        try:
            importlib.import_module(package)
        except ImportError as error:
            return fail(f'{package}: {error}', '`make setup`, then source env.sh in a new shell')
    package = importlib.import_module('continua_msgs')
    built = Path(package.__file__).resolve().parent
    root = checkout()
    if root is None:
        return ok(f'continua_msgs in {built}')
    if not built.is_relative_to(root):
        remedy = f'cd {root} && source env.sh, in a new shell'
        return fail(f'continua_msgs comes from {built}, the library from {root}', remedy)
    stale = stale_messages(root / 'src' / 'continua_msgs' / 'msg')
    if stale:
        return fail(f'{", ".join(stale)} changed since the messages were built', f'cd {root} && make setup')
    return ok(f'continua_msgs of {root}, and {len(STANDARD)} standard packages')


def stale_messages(folder: Path) -> list[str]:
    """Return the names of the messages in `folder` whose fields or constants differ from the built ones."""
    from rosidl_adapter.parser import parse_message_file

    classes = importlib.import_module('continua_msgs.msg')
    stale = []
    for file in sorted(folder.glob('*.msg')):
        definition = parse_message_file('continua_msgs', file)
        built = getattr(classes, file.stem, None)
        fields = [field.name for field in definition.fields]
        constants = {constant.name: constant.value for constant in definition.constants}
        same_fields = built is not None and list(built.get_fields_and_field_types()) == fields
        if not same_fields or any(getattr(built, name, None) != value for name, value in constants.items()):
            stale.append(file.stem)
    return stale
