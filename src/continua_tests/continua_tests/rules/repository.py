"""A checkout of this workspace, and places in it."""

import ast
import configparser
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

__all__ = ['Executable', 'Package', 'Repository', 'Violation']


@dataclass(frozen=True)
class Violation:
    """A place that breaks a rule, and what to do."""

    file: Path
    line: int
    sentence: str

    def __str__(self) -> str:
        return f'{self.file}:{self.line}: {self.sentence}'


class Executable(NamedTuple):
    """A console script of a package."""

    name: str
    module: str
    function: str


@dataclass(frozen=True)
class Package:
    """A folder with a package.xml."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def manifest(self) -> Path:
        return self.folder / 'package.xml'

    def code(self) -> list[Path]:
        """Python files that are installed."""
        return _python(self.folder / self.name)

    def tests(self) -> list[Path]:
        return _python(self.folder / 'test')

    @cached_property
    def setup(self) -> dict[str, ast.expr]:
        """Arguments of the call of `setup` in setup.py, unevaluated; empty where there is no such file."""
        path = self.folder / 'setup.py'
        calls = ast.walk(ast.parse(path.read_text())) if path.exists() else ()
        return {
            keyword.arg: keyword.value
            for call in calls
            if isinstance(call, ast.Call) and getattr(call.func, 'id', '') == 'setup'
            for keyword in call.keywords
        }

    def executables(self) -> list[Executable]:
        """Console scripts of setup.py or setup.cfg."""
        parser = configparser.ConfigParser()
        parser.read(self.folder / 'setup.cfg')
        lines = parser.get('options.entry_points', 'console_scripts', fallback='').splitlines()
        if 'entry_points' in self.setup:
            lines += ast.literal_eval(self.setup['entry_points']).get('console_scripts', [])
        executables = []
        for line in filter(None, lines):
            name, target = (part.strip() for part in line.split('='))
            executables.append(Executable(name, *target.split(':')))
        return executables


@dataclass(frozen=True)
class Repository:
    """The checkout at `root`."""

    root: Path

    def packages(self) -> list[Package]:
        return [Package(manifest.parent) for manifest in sorted(self.root.glob('src/*/package.xml'))]


def _python(folder: Path) -> list[Path]:
    return sorted(folder.rglob('*.py'))
