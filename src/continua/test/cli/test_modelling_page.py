"""docs/modelling.md: its commands print what stands there, but for times."""

import re
import runpy
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
PAGE = ROOT / 'docs' / 'modelling.md'
TIMES = re.compile(r'\([0-9.]+ ms\)|[0-9.]+ times faster')


def sessions():
    """(command line, lines that it prints) of the page, in its order."""
    found = []
    for block in re.findall(r'```\n(\$.*?)```', PAGE.read_text(), re.DOTALL):
        for part in block.split('$ ')[1:]:
            line, *printed = part.splitlines()
            found.append((line, printed))
    return found


def substitute(line, tmp_path):
    """What sed does with s/OLD/NEW/ in the page."""
    _, expression, source, _, target = shlex.split(line)
    old, new = expression.split('/')[1:3]
    (tmp_path / target).write_text((ROOT / source).read_text().replace(old, new))


@pytest.fixture
def workplace(tmp_path, monkeypatch):
    (tmp_path / 'docs').symlink_to(ROOT / 'docs')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_page_says_what_the_commands_print(workplace, command, capsys):
    for line, expected in sessions():
        program, *arguments = shlex.split(line)
        if program == 'sed':
            substitute(line, workplace)
            printed = ''
        elif program == 'python':
            runpy.run_path(*arguments, run_name='__main__')
            printed = capsys.readouterr().out
        else:
            result = command(*arguments)
            assert result.exit_code == 0, (line, result.output, result.exception)
            printed = result.stdout
        got = [TIMES.sub('', each).rstrip() for each in printed.splitlines()]
        assert got == [TIMES.sub('', each).rstrip() for each in expected], line


def test_each_picture_of_the_page_is_made_by_one_of_its_commands():
    pictures = re.findall(r'!\[.*?\]\(modelling/(.*?)\)', PAGE.read_text())
    made = ' '.join(line for line, _ in sessions()) + (ROOT / 'docs/modelling/stresses.py').read_text()
    assert len(pictures) >= 5
    for picture in pictures:
        assert (ROOT / 'docs/modelling' / picture).is_file()
        assert picture in made
