"""The commands of docs/identification.md, as they stand there: bags tell what a simulated prototype is."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from rclpy.action import ActionClient

from continua.description import load_robot
from continua_msgs.action import Identify
from continua_node.testing import Bench, executable, free_domain

ROOT = Path(__file__).resolve().parents[4]
PATIENCE = 300.0
TRUE = {'density': 1250.0, 'youngs_modulus': 1.7e6, 'damping': 4.1e3}


def commands():
    page = (ROOT / 'docs/identification.md').read_text()
    return [
        line[2:] for block in re.findall(r'```\n(.*?)```', page, re.DOTALL) for line in block.splitlines()
    ]


@pytest.fixture(scope='module')
def place(tmp_path_factory):
    """Where the commands have been run; their output in `printed`."""
    folder = tmp_path_factory.mktemp('laboratory')
    (folder / 'config').symlink_to(ROOT / 'config')
    domain, lock = free_domain()
    environment = os.environ | {'ROS_DOMAIN_ID': str(domain), 'ROS_LOG_DIR': str(folder / 'ros')}
    script = '\n'.join(commands())
    with (folder / 'printed').open('w') as printed, (folder / 'log').open('w') as log:
        command = ['bash', '-e', '-c', script]
        done = subprocess.run(
            command, cwd=folder, env=environment, stdout=printed, stderr=log, timeout=PATIENCE
        )
    os.close(lock)
    assert done.returncode == 0, (folder / 'log').read_text() + (folder / 'printed').read_text()
    return folder


def test_the_page_has_all_kinds_of_runs():
    text = '\n'.join(commands())
    for word in ('identify_weight', 'identify_sweep', 'identify_release', '--bag', '--release', '--out'):
        assert word in text


def test_the_new_robot_file_has_the_numbers_of_the_prototype(place):
    new = (place / 'runs/identify/prototype.yaml').read_text()
    old = (ROOT / 'config/robots/sdre_prototype.yaml').read_text()
    robot = load_robot(place / 'runs/identify/prototype.yaml')
    for name, true in TRUE.items():
        assert getattr(robot.link('arm').material, name) == pytest.approx(true, rel=0.03), name
    assert robot.tendon('tendon_1').friction == pytest.approx(0.17, rel=0.03)
    comments = [line for line in old.splitlines() if line.startswith('#')]
    assert all(line in new.splitlines() for line in comments)
    assert 'weight_30g (0.03 kg), sweep, release (release)' in new


def test_the_report_has_figures_and_numbers(place):
    page = (place / 'runs/identify/prototype.html').read_text()
    assert page.count('data:image/png;base64') == 6
    numbers = json.loads((place / 'runs/identify/prototype.json').read_text())
    assert numbers['is_excited'] and numbers['converged']
    assert numbers['residual_rms_m']['poses'] < 1e-3


def test_other_numbers_go_by_their_paths(place):
    printed = (place / 'printed').read_text()
    found = json.loads(printed[printed.rindex('\n{') :])
    assert list(found['parameters']) == ['links.arm.material.youngs_modulus', 'tendons.tendon_1.friction']


@pytest.fixture
def bench():
    with Bench('/identification') as bench:
        yield bench


@pytest.fixture
def server(bench):
    """The node that serves the action, with a small swarm."""
    settings = ROOT / 'config/nodes/identification.yaml'
    with bench.start(
        executable('continua_bringup', 'identification'), '--params-file', str(settings)
    ) as node:
        yield node
        assert node.stop() == 0


def goal_of(place, **fields):
    runs = place / 'runs/identify'
    given = {
        'robot_file': str(ROOT / 'config/robots/sdre_prototype.yaml'),
        'bag': [str(runs / 'weight_30g'), str(runs / 'sweep')],
        'weight': [0.03, 0.0],
        'out': str(runs / 'by_action.yaml'),
    }
    return Identify.Goal(**(given | fields))


class Asked:
    """A goal on its way: handle, feedback so far, result."""

    def __init__(self, bench, goal):
        self._bench, self.feedback = bench, []
        client = ActionClient(bench.node, Identify, 'identify')
        bench.wait_until(client.server_is_ready, 'the action server')
        sent = client.send_goal_async(goal, lambda message: self.feedback.append(message.feedback))
        bench.wait_until(sent.done, 'an answer to the goal')
        self.handle = sent.result()

    def result(self):
        future = self.handle.get_result_async()
        self._bench.wait_until(future.done, 'the result')
        return future.result().result


def test_the_action_identifies_and_tells_how_far_it_is(place, bench, server):
    asked = Asked(bench, goal_of(place))
    assert asked.handle.accepted
    result = asked.result()
    assert result.code == Identify.Result.CODE_OK, result.message
    names = ['links.arm.material.density', 'links.arm.material.youngs_modulus', 'tendons.*.friction']
    assert list(result.parameter) == names
    assert all(low < x < high for low, x, high in zip(result.lower, result.value, result.upper, strict=True))
    density = load_robot(result.robot_file).link('arm').material.density
    assert density == pytest.approx(result.value[0], rel=1e-5)
    shares = [message.progress for message in asked.feedback]
    assert shares == sorted(shares) and shares[-1] > 0.0


def test_the_action_can_be_cancelled_and_refuses_a_second_goal(place, bench, server):
    asked = Asked(bench, goal_of(place))
    bench.wait_until(lambda: asked.feedback and asked.feedback[-1].progress > 0.0, 'the first evaluations')
    assert not Asked(bench, goal_of(place)).handle.accepted
    asked.handle.cancel_goal_async()
    assert asked.result().code == Identify.Result.CODE_CANCELLED


@pytest.mark.parametrize(
    ('fields', 'code', 'sentence'),
    [
        ({'weight': [0.03]}, Identify.Result.CODE_FAILED, 'one for each of 2 bags'),
        ({'out': ''}, Identify.Result.CODE_FAILED, 'path of the robot file'),
        ({'bag': ['/nowhere'], 'weight': []}, Identify.Result.CODE_FAILED, 'not a bag'),
        (
            {'parameter': ['links.arm.material.damping']},
            Identify.Result.CODE_NOT_EXCITED,
            'do not excite links.arm.material.damping',
        ),
    ],
)
def test_the_action_says_what_it_cannot_do(place, bench, server, fields, code, sentence):
    result = Asked(bench, goal_of(place, **fields)).result()
    assert result.code == code and sentence in result.message
    assert result.robot_file == ''
