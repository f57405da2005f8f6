"""docs/robot_file.md says what the code does."""

from pathlib import Path

import pytest
import yaml

from continua.description import Robot, RobotFileError, parse_robot
from continua.description.reference import updated
from continua.description.schema import submodels

PAGE = (Path(__file__).parents[4] / 'docs' / 'robot_file.md').read_text(encoding='utf-8')
EXAMPLE, HYBRID = (part.split('```')[0] for part in PAGE.split('```yaml\n')[1:])


def _models(model):
    yield model
    for field in model.model_fields.values():
        for child in submodels(field.annotation):
            yield from _models(child)


def test_tables_are_those_of_the_models():
    assert updated(PAGE) == PAGE, 'run: python -m continua.description.reference docs/robot_file.md'


def test_every_key_has_a_meaning_and_a_unit():
    for model in _models(Robot):
        for name, field in model.model_fields.items():
            assert field.description, f'{model.__name__}.{name}'
            assert 'unit' in (field.json_schema_extra or {}), f'{model.__name__}.{name}'


def test_example_is_a_robot():
    robot = parse_robot(EXAMPLE)
    assert robot.name == 'small_arm'
    assert robot.links[0].strain_basis.dof == 12
    assert robot.tendon('screw').limits == robot.tendon('east').limits


def test_hybrid_example_is_a_robot():
    robot = parse_robot(HYBRID)
    assert robot.dof == 1 + 2 + 12
    assert [link for link, _, _ in robot.tendon('cable').waypoints(robot)] == ['upper', 'finger', 'finger']


def test_quoted_messages_are_real():
    data = yaml.safe_load(EXAMPLE)
    data['links'][0]['material']['youngs_modulus'] = 0.8
    data['tendons'][0]['pth'] = data['tendons'][0].pop('path')
    with pytest.raises(RobotFileError) as caught:
        parse_robot(yaml.safe_dump(data), 'my_robot.yaml')
    said = {str(problem).split(': ', 1)[1] for problem in caught.value.problems}
    quoted = {line.split(': ', 1)[1] for line in PAGE.splitlines() if line.startswith('    my_robot.yaml:')}
    assert len(quoted) == 2
    assert quoted <= said
