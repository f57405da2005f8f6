"""From a robot file to its reduced model in the simulator: babble, record, reduce, simulate."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from continua.description import load_robot
from continua.io.bag_reader import is_finished
from continua.io.bag_states import BagStates, load_states
from continua.io.run import load_run
from continua.reduction import ReducedModel, reduced_file
from continua.rod import Rod
from continua_bringup.launch.expansion import expand
from continua_bringup.launch.find import launch_file, package_share
from continua_bringup.launch.service import LaunchService
from continua_node.testing import free_domain

DURATION, MODES, HIGHEST = 4.0, 12, 3.0  # s, -, N
PATIENCE = 120.0


@pytest.fixture(scope='module')
def robot_file(tmp_path_factory):
    file = tmp_path_factory.mktemp('robot') / 'arm.yaml'
    shutil.copy(Path(package_share('continua_bringup'), 'config', 'robots', 'tendon_arm.yaml'), file)
    return file


@pytest.fixture(scope='module')
def bag(robot_file):
    return babble(robot_file, 'full')


@pytest.fixture(scope='module')
def report(robot_file, bag):
    """What `continua reduce` says of the reduced model that it puts beside the robot file."""
    result = reduce(robot_file, bag)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def babble(robot_file: Path, name: str, **arguments: str) -> Path:
    """The bag of a launch that has ended by itself."""
    bag, log = robot_file.parent / name, robot_file.parent / f'{name}.log'
    given = {
        'robot_file': str(robot_file),
        'duration': str(DURATION),
        'amplitude': f'[{HIGHEST}]',
        'bag_dir': str(bag),
    }
    domain, lock = free_domain()
    own = {'ROS_DOMAIN_ID': str(domain), 'ROS_LOG_DIR': str(robot_file.parent / 'ros')}
    with (
        mock.patch.dict(os.environ, own),
        log.open('w') as screen,
        LaunchService(expand(launch_file('babble'), given | arguments), screen=screen) as service,
    ):
        has_ended = service.wait(PATIENCE)
    os.close(lock)
    assert has_ended and service.exit_code == 0, log.read_text()
    return bag


def reduce(robot_file: Path, bag: Path) -> subprocess.CompletedProcess:
    command = [shutil.which('continua'), 'reduce', str(robot_file), '--from-bag', str(bag), '--json']
    command += ['--modes', str(MODES), '--out', str(reduced_file(robot_file))]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)


def states_of(robot_file: Path, bag: Path) -> BagStates:
    return load_states(bag, load_robot(robot_file).tendon_names)


def test_a_robot_babbles_and_is_recorded(robot_file, bag):
    assert is_finished(bag)
    states, rod = states_of(robot_file, bag), Rod(load_robot(robot_file))
    assert states.model_id == rod.model_id
    played = load_run(bag).tendons.command
    assert np.nanmin(played) >= 0.0 and np.nanmax(played) <= HIGHEST
    for tension in played.T:  # each tendon holds several tensions
        held, counts = np.unique(tension, return_counts=True)
        assert np.count_nonzero(counts[held > 0.0] > 10) >= 3
    tips = [rod.shape(q, [rod.length]).position[0] for q in states.q[::20]]
    assert np.ptp(tips, axis=0).max() > 0.1 * rod.length


def test_the_bag_becomes_a_reduced_model(robot_file, bag, report):
    assert report['modes'] == MODES and report['snapshots'] == len(states_of(robot_file, bag).q)
    rod = ReducedModel.load(reduced_file(robot_file)).rod(load_robot(robot_file))
    assert rod.dof == MODES
    assert report['tip_error_mm'] < 0.05 * 1e3 * rod.length


@pytest.mark.usefixtures('report')
def test_the_simulator_runs_the_reduced_model(robot_file):
    bag = babble(robot_file, 'reduced', model='rom')
    robot = load_robot(robot_file)
    states, rod = states_of(robot_file, bag), ReducedModel.load(reduced_file(robot_file)).rod(robot)
    assert states.model_id == rod.model_id
    assert states.q.shape[1] == MODES and np.ptp(states.q, axis=0).min() > 0.0
    refused = reduce(robot_file, bag)
    assert refused.returncode != 0 and 'record the full model' in refused.stderr
