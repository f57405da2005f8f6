"""Executables, parameters, settings files and launch files."""

from importlib.metadata import entry_points

import pytest

from continua_node.params import ROBOT_FILE, SETTINGS_ID, Parameter
from continua_tests.rules import nodes

PARAMETERS = [
    SETTINGS_ID,
    ROBOT_FILE,
    Parameter('rate', 50.0, 'how often it steps', 'Hz', range=(1.0, 100.0)),
    Parameter('gain', 1.0, 'gain'),
]
SETUP = """setup(
    name='continua_control',
    entry_points={'console_scripts': ['player = continua_control.player_node:main']},
)
"""


SETUP_CFG = """[options.entry_points]
console_scripts =
    x = b.y:main
    z = b.z_node:main
"""
PLAYER_YAML = '/**/reference_player: {ros__parameters: {settings_id: a}}'


@pytest.fixture
def broken(made_up):
    """A repository with one node, and with files of its own."""

    def write(files: dict[str, str]):
        return made_up(
            {
                'src/continua_control/package.xml': '',
                'src/continua_control/setup.py': SETUP,
                'src/continua_control/continua_control/player_node.py': '"""Plays."""\ndef main(): ...\n',
            }
            | files
        )

    return write


def sentences(violations) -> list[str]:
    return [f'{violation.file.name}:{violation.line}: {violation.sentence}' for violation in violations]


@pytest.mark.parametrize('rule', [nodes.named, nodes.described, nodes.settings_files, nodes.launch_files])
def test_rule_holds(rule, holds):
    holds(rule)


@pytest.mark.parametrize('group', ['continua.commands', 'continua.checks'])
def test_every_entry_point_can_be_loaded(group):
    entries = entry_points(group=group)
    assert entries
    for entry in entries:
        entry.load()


def test_wrong_node_files_are_found(broken):
    repository = broken(
        {
            'src/continua_control/continua_control/player_node.py': 'def start(): ...\n',
            'src/b/package.xml': '',
            'src/b/setup.cfg': SETUP_CFG,
            'src/b/b/y.py': '"""Does y."""\ndef main(): ...\n',
        }
    )
    assert sentences(nodes.named(repository)) == [
        'y.py:1: call it x_node.py, as its executable',
        'setup.cfg:1: z: there is no module b.z_node',
        'player_node.py:1: add a docstring: what it does, inputs, outputs, and when an input is late',
        'setup.py:1: player: player_node.py has no function main',
    ]


def test_a_parameter_without_description_is_found(broken):
    (violation,) = nodes.described(broken({}), lambda executable: PARAMETERS)
    assert 'parameter gain' in str(violation)


def test_wrong_settings_are_found(broken):
    repository = broken(
        {
            'config/nodes/player.yaml': '/**/player:\n  ros__parameters:\n    rate: 500.0\n    gian: 1.0\n',
            'config/nodes/playr.yaml': '{}',
        }
    )
    assert sentences(nodes.settings_files(repository, lambda executable: PARAMETERS)) == [
        'player.yaml:1: add settings_id: it shows that a node has read the file',
        'player.yaml:3: rate is 500.0, expected a number from 1.0 to 100.0 Hz',
        "player.yaml:4: no parameter is called gian (did you mean 'gain'?)",
        "playr.yaml:1: no executable is called playr (did you mean 'player'?)",
    ]


@pytest.mark.parametrize(
    ('text', 'expected'),
    [(None, 'does not exist'), ('player:\n  ros__parameters: {}\n', 'expected one key /**/player')],
)
def test_settings_that_no_node_would_read_are_found(broken, text, expected):
    repository = broken({} if text is None else {'config/nodes/player.yaml': text})
    (violation,) = nodes.settings_files(repository, lambda executable: PARAMETERS)
    assert expected in str(violation)


RUN = """<launch>
<arg name="robot" default="sim"><choice value="sim"/><choice value="real"/></arg>
<arg name="record" default="true"/>
<include if="$(var record)" file="$(dirname)/layers/robot_$(var robot).launch.xml"/>
<node pkg="continua_control" exec="reference_player" name="player"/>
</launch>"""

COMPLETE = """<launch>
<node pkg="continua_control" exec="reference_player" name="reference_player">
  <param from="$(dirname)/../config/nodes/reference_player.yaml"/>
  <param name="robot_file" value="arm.yaml"/>
  <param name="rate" value="{rate}"/>
</node>
</launch>"""


@pytest.fixture
def launched(broken):
    """What the rule says of one launch file of a repository with node reference_player."""

    def check(text: str) -> list[str]:
        repository = broken(
            {
                'src/continua_control/setup.py': SETUP.replace('player', 'reference_player'),
                'config/nodes/reference_player.yaml': PLAYER_YAML,
                'launch/run.launch.xml': text,
                'launch/layers/robot_sim.launch.xml': '<launch/>',
            }
        )
        return sentences(nodes.launch_files(repository, lambda executable: PARAMETERS))

    return check


def test_a_launch_file_is_expanded_with_every_choice(launched):
    name, settings_id, robot_file, missing = launched(RUN)
    assert name == 'run.launch.xml:5: call the node reference_player, as its executable; it is player'
    assert settings_id.startswith('run.launch.xml:5: player needs parameter settings_id')
    assert robot_file.startswith('run.launch.xml:5: player needs parameter robot_file')
    assert missing.startswith("run.launch.xml:4: with {'robot': 'real', 'record': 'true'}: cannot read")


def test_parameters_in_launch_files_are_checked(launched):
    assert launched(COMPLETE.format(rate=10)) == []
    (sentence,) = launched(COMPLETE.format(rate='fast'))
    assert sentence == "run.launch.xml:2: rate is 'fast', expected a number from 1.0 to 100.0 Hz"
