"""Every launch file of the repository expands, for every value of its choices, to installed nodes."""

import itertools
from pathlib import Path

import pytest

from continua_bringup.launch.expansion import declared_arguments, expand
from continua_bringup.launch.plan import Argument, Description, Parameter

FOLDER = Path(__file__).parents[4] / 'launch'
FILES = sorted(FOLDER.rglob('*.xml'))
EXPERIMENT = str(FOLDER / 'tendon_shape_estimation.launch.xml')
BABBLE = str(FOLDER / 'babble.launch.xml')
SETTINGS = str(FOLDER.parent / 'config' / 'nodes')
ROBOT_FILE = str(FOLDER.parent / 'config' / 'robots' / 'tendon_arm.yaml')
GIVEN = {'settings': SETTINGS, 'robot_file': ROBOT_FILE}


def values(argument: Argument) -> list[str]:
    """All that an argument can be, as far as its file says so."""
    if argument.default in ('true', 'false'):
        return ['true', 'false']
    return list(argument.choices)


def own_arguments(file: Path) -> list[Argument]:
    arguments, _ = declared_arguments(str(file), {})
    return [argument for argument in arguments if argument.file == str(file)]


def combinations(file: Path) -> list[dict[str, str]]:
    """Every combination of the values that its arguments can have; with what a layer must be given."""
    own = own_arguments(file)
    given = {argument.name: GIVEN[argument.name] for argument in own if argument.name in GIVEN}
    free = [argument for argument in own if values(argument)]
    names = [argument.name for argument in free]
    return [given | dict(zip(names, chosen, strict=True)) for chosen in itertools.product(*map(values, free))]


EMULATED = ['simulation', 'mocap_emulator', 'mocap']  # in every emulated layer


def expand_experiment(**arguments: str) -> Description:
    return expand(EXPERIMENT, GIVEN | arguments)


def values_of(description: Description, node: str) -> dict[str, object]:
    [process] = [process for process in description.processes if process.node.name == node]
    return {item.name: item.value for item in process.node.parameters if isinstance(item, Parameter)}


def test_there_are_launch_files():
    assert EXPERIMENT in map(str, FILES) and len(FILES) >= 5


@pytest.mark.parametrize('file', FILES, ids=lambda file: file.name)
def test_every_choice_expands(file):
    for chosen in combinations(file):
        description = expand(str(file), chosen)
        assert description.processes, f'{chosen} starts nothing'
        for process in description.processes:
            assert process.node.name == process.node.executable, 'a node is called as its executable'


@pytest.mark.parametrize('file', FILES, ids=lambda file: file.name)
def test_every_argument_says_what_it_is(file):
    assert [argument.name for argument in own_arguments(file) if not argument.description] == []


def test_the_layer_is_all_that_differs_between_robots():
    def names(robot: str) -> list[str]:
        return [process.node.full_name for process in expand_experiment(robot=robot).processes]

    graph = ['/tendon_arm/shape_estimator', '/tendon_arm/reference_player', '/tendon_arm/console']
    assert names('sim') == ['/tendon_arm/simulation', *graph]
    assert names('emulated') == [
        *(f'/tendon_arm/{name}' for name in (*EMULATED, 'board_emulator', 'tendon_driver')),
        *graph,
    ]
    assert names('hardware') == ['/tendon_arm/tendon_driver', *graph]


def test_hardware_has_a_motion_capture_where_it_is_calibrated():
    given = {'robot': 'hardware', 'mocap_calibration': 'lab.yaml', 'marker_set': 'arm'}
    assert [process.node.name for process in expand_experiment(**given).processes][0] == 'mocap'
    assert values_of(expand_experiment(**given), 'mocap')['calibration_file'] == 'lab.yaml'


def test_behind_the_emulated_board_the_simulated_robot_is_the_plant():
    simulation = expand_experiment(robot='emulated').processes[0]
    assert simulation.node.name == 'simulation'
    assert dict(simulation.node.remappings) == {
        name: f'plant/{name}'
        for name in (
            *('tendon/command', 'tendon/state', 'valve/command', 'pressure/state'),
            *('markers', 'tip_pose', 'robot_description'),
            *('enable', 'emergency_stop', 'reset', 'tare'),
        )
    }


@pytest.mark.parametrize(
    ('robot', 'pid', 'layer'),
    [
        ('sim', 'board', ['simulation']),
        ('emulated', 'board', [*EMULATED, 'board_emulator', 'valve_driver']),
        ('emulated', 'node', [*EMULATED, 'board_emulator', 'valve_driver', 'pressure_pid']),
        ('hardware', 'node', ['valve_driver', 'pressure_pid']),
    ],
)
def test_chambers_have_a_valve_board_and_a_controller_on_it_or_above_it(robot, pid, layer):
    file = str(FOLDER / 'pneumatic_setpoint.launch.xml')
    processes = expand(file, {'robot': robot, 'pid': pid}).processes
    assert [p.node.name for p in processes] == [*layer, 'reference_player', 'recorder']
    if robot != 'sim':
        assert values_of(expand(file, {'robot': robot, 'pid': pid}), 'valve_driver')['pid'] == pid


def test_hardware_is_energised_only_when_asked_to():
    assert values_of(expand_experiment(robot='hardware'), 'tendon_driver')['autostart'] is False
    assert values_of(expand_experiment(robot='emulated'), 'tendon_driver')['autostart'] is True


@pytest.mark.parametrize('robot', ['sim', 'emulated'])
def test_the_experiment_says_which_model_is_simulated(robot):
    for file in (EXPERIMENT, BABBLE):
        chosen = {'robot': robot, 'model': 'rom', 'rom_file': 'a.rom.npz'}
        simulation = values_of(expand(file, GIVEN | chosen), 'simulation')
        model = {'model': 'rom', 'rom_file': 'a.rom.npz'}
        model |= {'chamber_input': 'valve'} if robot == 'emulated' else {}
        assert simulation == {'robot_file': ROBOT_FILE, **model, 'rate': 100.0, 'truth_rate': 100.0}


@pytest.mark.parametrize(
    ('observer', 'topics'),
    [
        ('lsq', {'shape_estimator': 'estimate'}),
        ('sdre', {'sdre_observer': 'estimate'}),
        ('fused', {'fused_observer': 'estimate'}),
        (
            'all',
            {
                'shape_estimator': 'lsq/estimate',
                'sdre_observer': 'sdre/estimate',
                'fused_observer': 'fused/estimate',
            },
        ),
    ],
)
def test_one_observer_estimates_or_all_beside_each_other(observer, topics):
    description = expand_experiment(observer=observer, observer_model='rom', rate='500')
    nodes = {process.node.name: process.node for process in description.processes}
    for name, place in topics.items():
        remapped = dict(nodes[name].remappings)
        assert remapped == {f'estimate/{what}': f'{place}/{what}' for what in ('shape', 'state')}
    assert nodes.keys() - topics.keys() == {'simulation', 'reference_player', 'console'}
    assert dict(nodes['console'].remappings)['estimate/shape'] == f'{list(topics.values())[-1]}/shape'
    for name in topics.keys() - {'shape_estimator'}:
        assert values_of(description, name)['model'] == 'rom'
    for name in ('simulation', *(topics.keys() & {'shape_estimator'})):
        assert values_of(description, name)['rate'] == 500.0


def test_babbling_begins_by_itself_only_where_nothing_can_be_hurt():
    for robot in ('sim', 'emulated', 'hardware'):
        player = values_of(expand(BABBLE, GIVEN | {'robot': robot}), 'reference_player')
        assert player['autostart'] is (robot != 'hardware')
    driver = values_of(expand(BABBLE, GIVEN | {'robot': 'hardware'}), 'tendon_driver')
    assert driver['autostart'] is False


def test_what_is_babbled_reaches_the_player():
    given = {'offset': '[0.5, 1.0]', 'amplitude': '[3.0]', 'duration': '5'}
    player = values_of(expand(BABBLE, GIVEN | given), 'reference_player')
    assert (player['offset'], player['amplitude']) == ([0.5, 1.0], [3.0])
    assert (player['duration'], player['exits']) == (5.0, True)


def test_arguments_reach_the_nodes_with_their_types():
    description = expand_experiment(
        duration='20', seed='7', reference='sine', record='true', bag_dir='/tmp/b 1'
    )
    player = values_of(description, 'reference_player')
    assert player == {'robot_file': ROBOT_FILE, 'kind': 'sine', 'csv_file': '', 'duration': 20.0, 'seed': 7}
    assert type(player['duration']) is float
    assert values_of(description, 'recorder')['bag_dir'] == '/tmp/b 1'
