"""The player of goals as a process, with the predictive controller and an arm that is always at rest."""

import re
from pathlib import Path

import pytest

from continua_msgs.msg import ControllerStatus
from continua_node.testing import executable

CONFIG = Path(__file__).resolve().parents[3] / 'config'


@pytest.fixture
def play(start_arm):
    """Function that plays a goal for the controller of an arm: the arm, and what the player said."""

    def run(**parameters):
        arm = start_arm('nempc', particles=100)
        options = {'robot_file': CONFIG / 'robots/pneumatic_arm.yaml', **parameters}
        arguments = [word for name, value in options.items() for word in ('-p', f'{name}:={value}')]
        settings = str(CONFIG / 'nodes/goal_player.yaml')
        command = executable('continua_control', 'goal_player')
        with arm.bench.start(command, '--params-file', settings, *arguments) as player:
            arm.bench.wait_until(lambda: not player.is_running, 'the end of the player')
            return arm, player.output()

    return run


def test_a_goal_is_followed_and_the_player_ends(play):
    arm, said = play(reference='10e3*t; 0; 5e3', duration=2.0)
    assert 'followed to its end' in said and 'mm off on average' in said
    assert any(m.status == ControllerStatus.STATUS_OK for m in arm.status)
    assert max(max(message.pressure) for message in arm.commands) > 5e3


def test_how_far_the_tip_stayed_off_is_said(play):
    """A metre away from the base is out of reach."""
    _, said = play(reference='1; 0; 0', duration=1.0, quantity='tip')
    distance = re.search(r'tip ([\d.]+) mm off on average', said)
    assert 700.0 < float(distance[1]) < 1300.0


def test_a_wrong_reference_is_a_sentence_at_start(play):
    _, said = play(reference='0; 0', duration=2.0)
    assert '2 expressions, expected 3 separated by semicolons' in said
