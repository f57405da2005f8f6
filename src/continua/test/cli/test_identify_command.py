"""`continua identify` on wrong input; docs/identification.md has its runs, which the system tests make."""

import pytest


@pytest.mark.parametrize(
    ('arguments', 'sentence'),
    [
        ([], 'expected runs to identify from'),
        (['--bag', 'runs/a:heavy'], 'expected RUN or RUN:KG'),
        (['--bag', 'runs/a', '--hook', 'beam'], 'expected LINK:X'),
        (['--bag', 'runs/a'], 'the robot has no markers'),
    ],
)
def test_wrong_input_is_told_in_a_sentence(command, beam_file, arguments, sentence):
    result = command('identify', beam_file, *arguments)
    assert isinstance(result.exception, ValueError) and sentence in str(result.exception)


def test_a_folder_without_a_bag_is_told(command, beam_file, tmp_path):
    beam_file.write_text(
        beam_file.read_text() + 'markers: [{name: tip, link: beam, arc_length: 0.4, offset: [0, 0]}]'
    )
    result = command('identify', beam_file, '--bag', f'{tmp_path}:0.02')
    assert isinstance(result.exception, ValueError) and 'is not a bag' in str(result.exception)


def test_only_tensions_are_read_from_bags(command, crane_file):
    result = command('identify', crane_file, '--bag', 'runs/a')
    assert 'only tensions are read from bags' in str(result.exception)
