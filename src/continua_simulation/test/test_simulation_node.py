"""The simulator as a process: it moves, obeys the safety services, breaks on request and keeps time."""

from pathlib import Path

import numpy as np
import pytest
from ament_index_python.packages import get_package_share_directory
from rcl_interfaces.srv import SetParametersAtomically
from rclpy.parameter import Parameter as RclParameter
from rosgraph_msgs.msg import Clock
from std_msgs.msg import String
from std_srvs.srv import SetBool, Trigger

from continua.description import load_robot, parse_robot
from continua.reduction import ReducedModel, decompose, equilibria, random_inputs, reduced_file
from continua.rod import Rod
from continua_msgs.msg import MarkerArray3D, RodShape, RodState, TendonCommand, TendonState
from continua_msgs.srv import InjectFault
from continua_node import convert, qos
from continua_node.testing import Bench, executable

CONFIG = Path(get_package_share_directory('continua_bringup'), 'config')
ROBOT = CONFIG / 'robots' / 'tendon_arm.yaml'
NAMES = load_robot(ROBOT).tendon_names
MODES = 8


@pytest.fixture
def bench():
    with Bench('/tendon_arm') as bench:
        yield bench


@pytest.fixture(scope='session')
def robot_file(tmp_path_factory):
    """A robot file with its reduced model beside it."""
    file = tmp_path_factory.mktemp('robot') / 'arm.yaml'
    file.write_text(ROBOT.read_text())
    arm = load_robot(file)
    inputs = random_inputs(np.zeros(len(NAMES)), np.full(len(NAMES), 4.0), 100, np.random.default_rng(0))
    q, _ = equilibria(Rod(arm), inputs)
    ReducedModel.of(arm, decompose(Rod(arm), q).first(MODES)).save(reduced_file(file))
    return file


def start(bench, *parameters):
    arguments = ['--params-file', str(CONFIG / 'nodes' / 'simulation.yaml'), '-p', f'robot_file:={ROBOT}']
    for parameter in parameters:
        arguments += ['-p', parameter]
    return bench.start(executable('continua_simulation', 'simulation'), *arguments)


class Pull:
    """Publishes a tension on the first tendon at 50 Hz for as long as the bench waits."""

    def __init__(self, bench, tension):
        self._node, self._tension = bench.node, tension
        self._publisher = bench.node.create_publisher(TendonCommand, 'tendon/command', qos.COMMAND.offered)
        bench.node.create_timer(0.02, self._publish)

    def _publish(self):
        stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(convert.tendon_command_to_msg(stamp, NAMES[:1], [self._tension]))


def test_it_hangs_at_rest_and_bends_when_a_tendon_pulls(bench):
    states = bench.collect(TendonState, 'tendon/state', qos.SENSOR)
    shapes = bench.collect(RodShape, 'truth/shape', qos.STATE)
    with start(bench) as node:
        bench.wait_until(lambda: shapes, 'a shape')
        hanging = np.array(shapes[0].position[-3:])
        # the arm hangs straight down from 0.4 m and is 0.25 m long
        assert np.hypot(hanging[0], hanging[1]) < 1e-6
        assert 0.14 < hanging[2] < 0.15
        Pull(bench, 3.0)
        bench.wait_until(lambda: states and states[-1].tension[0] > 2.8, 'the drive to reach 3 N')
        bench.wait_until(
            lambda: np.linalg.norm(np.array(shapes[-1].position[-3:]) - hanging) > 0.03,
            'the tip to move 3 cm',
        )
        # tendon on the +y side pulls the tip to +y
        assert shapes[-1].position[-2] > 0.02
        assert states[-1].displacement[0] > 0.003
        assert node.stop() == 0


def test_services_of_the_tendon_driver_stop_and_release_it(bench):
    states = bench.collect(TendonState, 'tendon/state', qos.SENSOR)
    with start(bench):
        Pull(bench, 2.0)
        bench.wait_until(lambda: states and states[-1].command[0] == 2.0, 'the command to be applied')
        assert bench.call(Trigger, 'emergency_stop').success
        bench.wait_until(
            lambda: states[-1].command[0] == 0.0 and states[-1].fault[0] == TendonState.FAULT_EMERGENCY_STOP,
            'slack after the emergency stop',
        )
        assert not bench.call(SetBool, 'enable', SetBool.Request(data=True)).success
        assert bench.call(Trigger, 'reset').success
        assert bench.call(SetBool, 'enable', SetBool.Request(data=True)).success
        bench.wait_until(lambda: states[-1].command[0] == 2.0, 'the command to be applied again')


def test_faults_act_and_end(bench):
    states = bench.collect(TendonState, 'tendon/state', qos.SENSOR)
    markers = bench.collect(MarkerArray3D, 'markers', qos.SENSOR)
    with start(bench, 'marker_dropout:=0.0'):
        bench.wait_until(lambda: markers and all(markers[-1].valid), 'all markers')
        Fault = InjectFault.Request
        refused = bench.call(InjectFault, 'inject_fault', Fault(fault=Fault.FAULT_DROP_MARKERS, name=['m7']))
        assert not refused.success and 'm7' in refused.message
        assert bench.call(
            InjectFault, 'inject_fault', Fault(fault=Fault.FAULT_DROP_MARKERS, name=['m1'])
        ).success
        bench.wait_until(lambda: list(markers[-1].valid) == [1, 0, 1, 1], 'm1 to vanish')
        assert bench.call(
            InjectFault, 'inject_fault', Fault(fault=Fault.FAULT_BLOCK_TENDON, name=[NAMES[0]])
        ).success
        bench.wait_until(
            lambda: states and states[-1].fault[0] & TendonState.FAULT_BLOCKED, 'the fault in the state'
        )
        assert bench.call(InjectFault, 'inject_fault', Fault(fault=Fault.FAULT_CLEAR)).success
        bench.wait_until(lambda: all(markers[-1].valid), 'm1 to come back')
        assert bench.call(InjectFault, 'inject_fault', Fault(fault=Fault.FAULT_FREEZE)).success
        diagnostics = bench.diagnostics()
        bench.wait_until(lambda: 'frozen' in diagnostics.sentence('simulation'), 'the diagnostics to say so')


def test_lock_step_time_passes_only_on_request(bench):
    clock = bench.collect(Clock, '/clock', qos.STATE)
    shapes = bench.collect(RodShape, 'truth/shape', qos.STATE)
    with start(bench, 'lock_step:=true', 'use_sim_time:=true', 'rate:=50.0', 'truth_rate:=50.0'):
        steps = 0

        def advance():
            nonlocal steps
            assert bench.call(Trigger, 'advance').success
            steps += 1
            return clock and shapes

        bench.wait_until(advance, 'the simulator to have found the bench')
        for _ in range(3):
            advance()
        for messages in (clock, shapes):
            bench.wait_until(lambda m=messages: abs(_time(m[-1]) - 0.02 * steps) < 1e-9, 'the last step')
            expected = 0.02 * np.arange(steps - len(messages), steps) + 0.02
            assert np.allclose([_time(message) for message in messages], expected, atol=1e-9)


def test_a_robot_description_reaches_late_joiners(bench):
    with start(bench):
        texts = bench.collect(String, 'robot_description', qos.LATCHED)
        bench.wait_until(lambda: texts, 'the description')
        assert parse_robot(texts[0].data).hash == load_robot(ROBOT).hash


def test_a_wrong_robot_file_stops_the_start_with_a_sentence(bench, tmp_path):
    wrong = tmp_path / 'arm.yaml'
    wrong.write_text(ROBOT.read_text().replace('poisson_ratio: 0.5', 'poisson_ratio: 2.5'))
    with start(bench, f'robot_file:={wrong}') as node:
        assert node.wait() == 2
        assert 'poisson_ratio' in node.output()


def choose(bench, **values):
    """Result of setting parameters of the simulator, all at once."""
    given = [RclParameter(name, value=value).to_parameter_msg() for name, value in values.items()]
    request = SetParametersAtomically.Request(parameters=given)
    return bench.call(SetParametersAtomically, 'simulation/set_parameters_atomically', request).result


def test_the_model_changes_while_commands_run(bench, robot_file):
    states = bench.collect(RodState, 'truth/state', qos.STATE)
    tendons = bench.collect(TendonState, 'tendon/state', qos.SENSOR)
    full = Rod(load_robot(robot_file))
    small = ReducedModel.load(reduced_file(robot_file)).rod(full.robot)

    def settled(rod):
        """The tip where the robot rests in states of the model."""
        start = len(states)

        def rests():
            tips = np.array([state.shape.position[-3:] for state in states[start:][-50:]])
            return len(tips) == 50 and np.ptp(tips, axis=0).max() < 1e-4

        bench.wait_until(rests, 'rest')
        assert states[-1].model_id == rod.model_id
        assert len(states[-1].q) == len(states[-1].qd) == rod.dof
        tip = np.array(states[-1].shape.position[-3:])
        np.testing.assert_allclose(rod.shape(states[-1].q, [rod.length]).position[0], tip, atol=1e-12)
        return tip

    # the watchdog is another test's: on a busy machine the bench's commands may be late
    with start(bench, f'robot_file:={robot_file}', 'watchdog:=10.0') as node:
        bench.wait_until(lambda: states, 'a state')
        slack = np.array(states[-1].shape.position[-3:])
        Pull(bench, 3.0)
        bench.wait_until(lambda: tendons and tendons[-1].tension[0] > 2.8, 'the drive to reach 3 N')
        before = settled(full)
        assert np.linalg.norm(before - slack) > 0.1 * full.length
        for model, rod in (('rom', small), ('gvs', full), ('rom', small)):
            seen = len(tendons)
            assert choose(bench, model=model).successful
            assert np.linalg.norm(settled(rod) - before) < 0.05 * full.length
            assert all(state.command[0] > 2.9 for state in tendons[seen:])
        diagnostics = bench.diagnostics()
        bench.wait_until(lambda: diagnostics.sentence('simulation'), 'diagnostics')
        assert diagnostics.value('simulation', 'solver_failures') == 0
        assert node.stop() == 0


def test_a_model_that_does_not_fit_is_refused_and_the_old_one_goes_on(bench, robot_file, tmp_path):
    states = bench.collect(RodState, 'truth/state', qos.STATE)
    other = tmp_path / 'other.yaml'
    other.write_text(ROBOT.read_text().replace('poisson_ratio: 0.5', 'poisson_ratio: 0.4'))
    with start(bench, f'robot_file:={other}'):
        bench.wait_until(lambda: states, 'a state')
        refused = choose(bench, model='rom', rom_file=str(reduced_file(robot_file)))
        assert not refused.successful
        assert 'its file has changed since the reduced model was made' in refused.reason
        refused = choose(bench, model='rom')
        assert not refused.successful and str(reduced_file(other)) in refused.reason
        assert 'rate' in choose(bench, rate=50.0).reason
        seen = len(states)
        bench.wait_until(lambda: len(states) > seen + 5, 'further states')
        assert {state.model_id for state in states} == {Rod(load_robot(other)).model_id}


def test_it_starts_with_a_reduced_model_at_rest(bench, robot_file):
    states = bench.collect(RodState, 'truth/state', qos.STATE)
    with start(bench, f'robot_file:={robot_file}', 'model:=rom'):
        bench.wait_until(lambda: len(states) > 20, 'states')
        assert all(len(state.q) == MODES for state in states)
        assert np.allclose(states[-1].q, states[0].q, atol=1e-6)


def test_a_missing_reduced_model_stops_the_start_with_a_sentence(bench, tmp_path):
    with start(bench, 'model:=rom', f'rom_file:={tmp_path}/none.rom.npz') as node:
        assert node.wait() == 2
        assert 'none.rom.npz' in node.output() and 'Traceback' not in node.output()


def _time(message):
    """Stamp of a Clock or of anything with a header, s."""
    return convert.from_stamp(message.clock if isinstance(message, Clock) else message.header.stamp)
