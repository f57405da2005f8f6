"""This repository, and made-up ones that break a rule."""

from pathlib import Path

import pytest

from continua_tests.rules.repository import Repository


@pytest.fixture(scope='session')
def repository() -> Repository:
    return Repository(Path(__file__).resolve().parents[4])


@pytest.fixture
def made_up(tmp_path):
    """Writes files, by path from the root, into a repository."""

    def write(files: dict[str, str]) -> Repository:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return Repository(tmp_path)

    return write


@pytest.fixture
def holds(repository):
    """Asserts that nothing in this repository breaks a rule; the message lists all places."""

    def check(rule) -> None:
        found = list(rule(repository))
        lines = (str(violation).removeprefix(f'{repository.root}/') for violation in found)
        assert not found, '\n'.join([f'{rule.__doc__}', *lines])

    return check
