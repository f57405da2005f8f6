"""The modules of the set-up, which are no package: they run before anything is installed."""

import importlib
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[4]
FOLDER = ROOT / 'requirements' / 'workspace'


@pytest.fixture
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture
def workspace(monkeypatch):
    """The set-up's modules by name, forgotten again after the test: their names are short."""
    names = [file.stem for file in FOLDER.glob('*.py') if file.stem != '__main__']
    monkeypatch.syspath_prepend(FOLDER)
    modules = {name: importlib.import_module(name) for name in names}
    yield SimpleNamespace(**modules)
    for name in names:
        del sys.modules[name]
