from pathlib import Path

import pytest

from continua_bringup.launch.errors import LaunchError
from continua_bringup.launch.xml_reader import MAX_DEPTH, read


def read_text(folder: Path, text: str):
    path = folder / 'file.xml'
    path.write_text(text)
    return read(path)


def test_elements_know_their_lines(tmp_path):
    root = read_text(
        tmp_path, '<?xml version="1.0"?>\n<!-- a comment -->\n<a x="1">\n  <b/>\n\n  <c\n    y="2"/>\n</a>'
    )
    assert (root.tag, root.line, root.attributes) == ('a', 3, {'x': '1'})
    assert [(child.tag, child.line) for child in root.children] == [('b', 4), ('c', 6)]
    assert root.file == str(tmp_path / 'file.xml')


@pytest.mark.parametrize(
    ('text', 'line', 'message'),
    [
        ('<a>\n<b>\n</a>', 3, 'mismatched tag'),
        ('<a x="1"\nx="2"/>', 2, 'duplicate attribute'),
        ('', 1, 'no element found'),
        ('<a>\n  words\n</a>', 2, "text 'words'"),
        ('<!DOCTYPE a [<!ENTITY e "x">]>\n<a/>', 1, 'DOCTYPE'),
        ('<a>' * (MAX_DEPTH + 1), 1, 'nested more than'),
    ],
)
def test_bad_xml_names_the_line(tmp_path, text, line, message):
    with pytest.raises(LaunchError, match=message) as caught:
        read_text(tmp_path, text)
    assert (caught.value.file, caught.value.line) == (str(tmp_path / 'file.xml'), line)


def test_missing_file_is_named(tmp_path):
    with pytest.raises(LaunchError, match=r'nothing\.xml: No such file'):
        read(tmp_path / 'nothing.xml')
