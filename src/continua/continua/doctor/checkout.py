"""The checkout that this library is used from."""

from pathlib import Path

import continua

__all__ = ['checkout']


def checkout() -> Path | None:
    """Return the root of the workspace whose library this is, None if it was installed by itself."""
    root = Path(continua.__file__).resolve().parents[3]
    return root if (root / 'src' / 'continua_msgs' / 'package.xml').exists() else None
