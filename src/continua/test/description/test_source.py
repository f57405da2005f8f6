"""Reading YAML: lines, YAML 1.2 numbers, duplicate keys, and files that are not meant well."""

import pytest

from continua.description import RobotFileError, load_robot
from continua.description.source import MAX_BYTES, Source


def _problems(text):
    with pytest.raises(RobotFileError) as caught:
        Source(text, 'robot.yaml')
    return caught.value.problems


@pytest.mark.parametrize(
    ('text', 'value'),
    [
        ('1e6', 1e6),
        ('1.0e6', 1e6),
        ('-2E-3', -2e-3),
        ('.5', 0.5),
        ('5.', 5.0),
        ('+7', 7),
        ('010', 10),
        ('-.inf', float('-inf')),
        ('no', 'no'),
        ('true', True),
        ('~', None),
        ('', None),
        ('1:30', '1:30'),
        ('2020-01-01', '2020-01-01'),
        ('1_000', '1_000'),
        ("'1.0'", '1.0'),
        ('.', '.'),
    ],
)
def test_scalars_follow_yaml_1_2(text, value):
    found = Source(f'key: {text}\n', 'robot.yaml').data['key']
    assert found == value
    assert type(found) is type(value)


def test_lines_are_those_of_the_keys():
    source = Source('a: 1\nb:\n  - c: 2\n\n    d: [3,\n      4]\n', 'robot.yaml')
    assert source.line(('a',)) == 1
    assert source.line(('b',)) == 2
    assert source.line(('b', 0)) == 3
    assert source.line(('b', 0, 'd')) == 5
    assert source.line(('b', 0, 'd', 1)) == 6
    assert source.line(('b', 0, 'missing')) == 3


def test_aliases_repeat_their_anchor():
    source = Source('a: &x {k: 1}\nb: *x\n', 'robot.yaml')
    assert source.data == {'a': {'k': 1}, 'b': {'k': 1}}
    assert source.line(('b',)) == 2


def test_duplicate_key_names_both_lines():
    (problem,) = _problems('a: 1\nb: {c: 1,\n  c: 2}\n')
    assert (problem.line, problem.key) == (3, 'b.c')
    assert problem.what == 'the key stands here and in line 2'


@pytest.mark.parametrize(
    ('text', 'phrase'),
    [
        ('', 'an empty file'),
        ('# nothing\n', 'an empty file'),
        ('- a\n- b\n', 'a sequence'),
        ('just words\n', 'a scalar'),
        ('a: 1\n---\nb: 2\n', 'single document'),
        ('a: [1, 2\n', 'this is not YAML'),
        ('a:\n\t- 1\n', 'this is not YAML'),
        ('a: *nowhere\n', 'undefined alias'),
        ('a: \x00\n', 'this is not YAML'),
        ('a: !!python/object:os.system {}\n', 'tag'),
        ('a: !!python/name:os.system\n', 'tag'),
        ('a: !!binary aGk=\n', 'tag'),
        ('a: !mine 1\n', 'tag'),
        ('!!set {a}\n', 'tag'),
        ('? [a]\n: 1\n', 'a key must be a word'),
        ('a: !!int many\n', "'many' cannot be read as int"),
        ('a: ' + '[' * 2000 + ']' * 2000, 'nested too deeply'),
        ('a: &x [*x]\n', 'an alias contains itself'),
        ('#' * (MAX_BYTES + 1), 'too large'),
    ],
)
def test_what_is_not_a_robot_file_is_refused(text, phrase):
    problems = _problems(text)
    assert phrase in str(problems[0])


def test_aliases_cannot_blow_up():
    """Nine levels of ten aliases would be a thousand million values."""
    levels = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
    levels += [f'a{i}: &a{i} [' + ', '.join([f'*a{i - 1}'] * 10) + ']' for i in range(1, 10)]
    (problem,) = _problems('\n'.join(levels))
    assert problem.what == 'the file is too large with its aliases written out'


def test_missing_file_names_the_near_one(tmp_path):
    (tmp_path / 'tendon_arm.yaml').write_text('version: 1\n')
    with pytest.raises(RobotFileError, match=r"no such file; did you mean 'tendon_arm.yaml'\?"):
        load_robot(tmp_path / 'tendon_amr.yaml')


def test_folder_is_not_a_file(tmp_path):
    with pytest.raises(RobotFileError, match='this is not a file'):
        load_robot(tmp_path)


def test_bytes_that_are_not_text(tmp_path):
    (tmp_path / 'robot.yaml').write_bytes(b'version: 1\nname: \xff\xfe\n')
    with pytest.raises(RobotFileError, match='robot.yaml:2: this is not text in UTF-8'):
        load_robot(tmp_path / 'robot.yaml')


def test_large_file_is_not_read_whole(tmp_path):
    with (tmp_path / 'robot.yaml').open('wb') as file:
        file.truncate(10 * MAX_BYTES)
    with pytest.raises(RobotFileError, match='too large'):
        load_robot(tmp_path / 'robot.yaml')
