"""The requirement files and the constraints agree with each other and with the library."""

import ast
import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[4]
FOLDER = ROOT / 'requirements'
FILES = {file.stem: file for file in FOLDER.glob('*.txt') if file.stem not in ('apt', 'constraints')}
PYTHONS = ('3.10', '3.11', '3.12', '3.13', '3.14')
ALWAYS = ('build', 'ros', 'core', 'console')


def _requirements(file: Path) -> list[Requirement]:
    lines = (line.partition('#')[0].strip() for line in file.read_text().splitlines())
    return [Requirement(line) for line in lines if line]


def _names(*files: str) -> set[str]:
    return {canonicalize_name(entry.name) for file in files for entry in _requirements(FILES[file])}


def _requirements_for(python: str, file: Path) -> list[Requirement]:
    """Those that this Python installs."""
    environment = {'python_version': python, 'python_full_version': f'{python}.4'}
    return [each for each in _requirements(file) if each.marker is None or each.marker.evaluate(environment)]


def _pins(python: str) -> dict[str, Requirement]:
    pins = {}
    for pin in _requirements_for(python, FOLDER / 'constraints.txt'):
        name = canonicalize_name(pin.name)
        assert name not in pins, f'{name} is pinned twice for Python {python}'
        pins[name] = pin
    return pins


def test_every_file_is_there():
    assert set(FILES) == {*ALWAYS, 'dev', 'peers', 'learning', 'realsense', 'cluster'}


@pytest.mark.parametrize('python', PYTHONS)
def test_constraints_pin_every_requirement_to_one_version_that_fits(python):
    pins = _pins(python)
    for name, file in FILES.items():
        for entry in _requirements_for(python, file):
            pin = pins.get(canonicalize_name(entry.name))
            assert pin is not None, f'{name}.txt: {entry.name} has no pin for Python {python}'
            (version,) = (specifier.version for specifier in pin.specifier)
            assert str(pin.specifier) == f'=={version}'
            assert entry.specifier.contains(version), f'{name}.txt wants {entry}, constraints have {version}'


def test_the_library_and_core_list_the_same():
    tree = ast.parse((ROOT / 'src' / 'continua' / 'setup.py').read_text())
    (listed,) = (
        ast.literal_eval(keyword.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == 'install_requires'
    )
    core = [str(entry) for entry in _requirements(FILES['core'])]
    assert sorted(core) == sorted(str(Requirement(line)) for line in listed)


def test_the_demo_installs_no_test_tools_and_no_extras():
    extras = _names('dev', 'peers', 'learning', 'realsense', 'cluster')
    assert not extras & _names(*ALWAYS)


def test_packages_that_must_not_be_there():
    everything = {name for python in PYTHONS for name in _pins(python)} | _names(*FILES)
    assert 'launch' not in everything, "PyPI's launch is an unrelated project"
    assert 'lark' not in everything, 'lark beside lark-parser breaks rosidl'


def test_no_requirement_file_names_an_index_or_a_path():
    for file in (*FILES.values(), FOLDER / 'constraints.txt'):
        assert not re.search(r'^\s*(-|\.|/)|@|://', file.read_text(), re.MULTILINE), file.name
