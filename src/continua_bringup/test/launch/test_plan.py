"""Command lines, parameter files and the JSON of --print-processes."""

import json

import pytest
import yaml

NODE = """
  <set_env name="PROBE" value="1"/>
  <unset_env name="HOME"/>
  <set_parameter name="rate" value="2.50"/>
  <node pkg="launch_probe" exec="show" name="viewer" namespace="arm" args="-v" ros_args="--log-level debug"
        output="both" respawn="true" respawn_delay="1.5">
    <param name="gain" value="[1.0, 2.0]"/>
    <param from="$(dirname)/viewer.yaml"/>
    <remap from="markers" to="/mocap/markers"/>
    <env name="EXTRA" value="$(env PROBE)2"/>
  </node>"""


@pytest.fixture
def process(files):
    (files.folder / 'viewer.yaml').write_text('/**:\n  ros__parameters: {}\n')
    return files.expand(NODE).processes[0]


def test_command_line_is_that_of_ros2_launch(process, tmp_path):
    folder = tmp_path / 'parameters'
    folder.mkdir()
    program, *arguments = process.arguments(str(folder))
    assert program.endswith('/lib/launch_probe/show')
    assert arguments == [
        *('-v', '--ros-args', '--log-level', 'debug'),
        *('--ros-args', '-r', '__node:=viewer', '-r', '__ns:=/arm'),
        *('-p', 'rate:=2.5'),
        *('--params-file', f'{folder}/show-1-0.yaml', '--params-file', f'{tmp_path}/viewer.yaml'),
        *('-r', 'markers:=/mocap/markers'),
    ]
    written = yaml.safe_load((folder / 'show-1-0.yaml').read_text())
    assert written == {'/arm/viewer': {'ros__parameters': {'gain': [1.0, 2.0]}}}


def test_parameters_of_a_node_without_a_name_go_to_any_node(files, tmp_path):
    body = '<node pkg="launch_probe" exec="show"><param name="a" value="true"/></node>'
    files.expand(body).processes[0].arguments(str(tmp_path))
    assert yaml.safe_load((tmp_path / 'show-1-0.yaml').read_text()) == {
        '/**': {'ros__parameters': {'a': True}}
    }


def test_environment_is_that_of_its_place(process):
    assert (process.environment['PROBE'], process.environment['EXTRA']) == ('1', '12')
    assert 'HOME' not in process.environment and 'PATH' in process.environment


def test_json_shows_what_would_start(process, files):
    shown = json.loads(json.dumps(files.expand(NODE).as_json()))
    assert shown['file'] == str(files.folder / 'test.launch.xml')
    assert shown['processes'] == [
        {
            'label': 'show-1',
            'file': shown['file'],
            'line': 6,
            'package': 'launch_probe',
            'executable': 'show',
            'name': 'viewer',
            'namespace': '/arm',
            'parameters': [
                {'name': 'rate', 'value': '2.5'},
                {'name': 'gain', 'value': [1.0, 2.0]},
                {'from': str(files.folder / 'viewer.yaml')},
            ],
            'remappings': [{'from': 'markers', 'to': '/mocap/markers'}],
            'command': [process.command[0], '-v', '--ros-args', '--log-level', 'debug'],
            'environment': {'PROBE': '1', 'EXTRA': '12', 'HOME': None},
            'output': 'both',
            'respawn': True,
            'respawn_delay': 1.5,
            'is_required': False,
        }
    ]
