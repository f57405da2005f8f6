"""Which steps are done, and for which inputs: a small JSON file in .venv."""

import hashlib
import json
import os
from pathlib import Path


def digest(*parts: str | Path) -> str:
    """Hash strings as they are, and files by path and content."""
    total = hashlib.sha256()
    for part in parts:
        content = part.read_bytes() if isinstance(part, Path) else b''
        for piece in (str(part).encode(), content):
            total.update(len(piece).to_bytes(8, 'big') + piece)
    return total.hexdigest()


class Stamps:
    """The finished steps of one environment, each with the digest of what it was made from."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def is_current(self, step: str, key: str) -> bool:
        """Tell whether `step` was finished with the same inputs."""
        return self._read().get(step) == key

    def set(self, step: str, key: str) -> None:
        """Note that `step` is finished; atomic, so that a broken run leaves the old file."""
        self._write({**self._read(), step: key})

    def has(self, step: str) -> bool:
        """Tell whether `step` was finished, from whatever inputs."""
        return step in self._read()

    def clear(self, step: str) -> None:
        """Forget `step`."""
        self._write({name: key for name, key in self._read().items() if name != step})

    def _read(self) -> dict[str, str]:
        try:
            return json.loads(self._file.read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return {}

    def _write(self, content: dict[str, str]) -> None:
        new = self._file.with_suffix('.new')
        new.write_text(json.dumps(content, indent=1) + '\n')
        os.replace(new, self._file)
