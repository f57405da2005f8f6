"""C that is compiled at run time."""

import ctypes
import subprocess
import sys

import pytest

from continua.cosserat.compiled import compiled

SOURCE = 'int answer(void) {{ return {}; }}'
SCRIPT = f"""
from continua.cosserat.compiled import compiled
print(compiled({SOURCE.format(42)!r}).answer())
"""


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    """A cache folder that is empty."""
    monkeypatch.setattr('continua.cosserat.compiled.cache_folder', lambda: tmp_path / 'kernels')
    compiled.cache_clear()
    return tmp_path / 'native'


def test_a_source_is_compiled_once(fresh):
    assert compiled(SOURCE.format(1)).answer() == 1
    library = next(fresh.iterdir())
    made = library.stat().st_mtime_ns
    compiled.cache_clear()
    assert compiled(SOURCE.format(1)).answer() == 1
    assert compiled(SOURCE.format(2)).answer() == 2
    assert library.stat().st_mtime_ns == made
    assert len(list(fresh.iterdir())) == 2  # and nothing else is left


def test_a_mistake_is_shown_and_leaves_nothing(fresh):
    with pytest.raises(RuntimeError, match='could not compile the model'):
        compiled('int answer(void) { return }')
    assert list(fresh.iterdir()) == []


def test_without_a_compiler_it_says_what_to_do(fresh, monkeypatch):
    monkeypatch.setenv('CC', 'no-such-compiler')
    with pytest.raises(RuntimeError, match='apt-get install gcc'):
        compiled(SOURCE.format(3))


def test_two_processes_at_once_both_get_all_of_it(tmp_path, monkeypatch):
    monkeypatch.setenv('NUMBA_CACHE_DIR', str(tmp_path))
    command = [sys.executable, '-c', SCRIPT]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate(timeout=120)[0].strip() for process in running] == ['42', '42']
    (library,) = (tmp_path / 'native').iterdir()
    assert ctypes.CDLL(str(library)).answer() == 42
