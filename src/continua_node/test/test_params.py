"""Parameters: types, ranges and names are checked, and each refusal says what to do."""

import math

import pytest
import rclpy
from rclpy.node import Node
from rclpy.parameter import Parameter as RclParameter

from continua_node import params
from continua_node.params import Parameter

PARAMETERS = [
    Parameter('rate', 50.0, 'steps per second', 'Hz', range=(1.0, 1000.0)),
    Parameter('iterations', 20, 'at most', range=(1, math.inf)),
    Parameter('kind', 'sine', 'what', choices=('sine', 'step')),
    Parameter('gains', [1.0, 2.0], 'of the loop', range=(0.0, 10.0)),
    Parameter('names', ['a'], 'of things'),
    Parameter('is_loud', False, 'whether'),
    Parameter('ukf.noise', 0.1, 'standard deviation', 'm', range=(0.0, 1.0)),
    Parameter('ukf.mode', 'full', 'which', choices=('full', 'fast')),
]
LIVE = [
    Parameter('rate', 50.0, 'steps per second', 'Hz'),
    Parameter('model', 'full', 'which', choices=('full', 'small'), is_live=True),
    Parameter('model.file', '', 'of the small one', is_live=True),
]


@pytest.fixture(scope='module')
def context():
    context = rclpy.Context()
    context.init()
    yield context
    context.try_shutdown()


@pytest.fixture
def declare(context):
    nodes = []

    def make(parameters=PARAMETERS, **overrides):
        overrides = {'settings_id': 'test', **overrides}
        node = Node(
            'probe',
            namespace='/arm',
            context=context,
            parameter_overrides=[
                RclParameter(name.replace('__', '.'), value=value)
                for name, value in overrides.items()
                if value is not None
            ],
        )
        nodes.append(node)
        return node, params.declare(node, parameters)

    yield make
    for node in nodes:
        node.destroy_node()


def test_defaults_become_attributes(declare):
    _, settings = declare()
    assert settings.settings_id == 'test'
    assert (settings.rate, settings.iterations, settings.kind) == (50.0, 20, 'sine')
    assert list(settings.gains) == [1.0, 2.0]
    assert settings.names == ['a']
    assert settings.is_loud is False
    assert settings.ukf_noise == 0.1


def test_overrides_replace_defaults(declare):
    _, settings = declare(rate=20.0, gains=[3.0], names=['b', 'c'], is_loud=True, ukf__noise=0.2)
    assert (settings.rate, settings.is_loud, settings.ukf_noise) == (20.0, True, 0.2)
    assert list(settings.gains) == [3.0]
    assert settings.names == ['b', 'c']


def test_an_integer_is_taken_where_a_number_is_due(declare):
    node, settings = declare(rate=20, gains=[3, 4])
    assert type(settings.rate) is float
    assert node.get_parameter('gains').type_ is RclParameter.Type.DOUBLE_ARRAY


@pytest.mark.parametrize(
    ('overrides', 'sentence'),
    [
        ({'rate': 0.5}, "'rate' is 0.5, expected a number from 1.0 to 1000.0 Hz"),
        ({'rate': math.nan}, "'rate' is nan, expected a number"),
        ({'rate': 'fast'}, "'rate' is 'fast', expected a number"),
        ({'rate': True}, "'rate' is True, expected a number"),
        ({'rate': [1.0]}, 'expected a number'),
        ({'iterations': 0}, "'iterations' is 0, expected an integer from 1 to inf"),
        ({'iterations': 2.0}, "'iterations' is 2.0, expected an integer"),
        ({'kind': 'sin'}, "'kind' is 'sin', expected one of 'sine', 'step'"),
        ({'gains': 1.0}, "'gains' is 1.0, expected a list"),
        ({'gains': [1.0, 11.0]}, 'expected a list, each element a number from 0.0 to 10.0'),
        ({'is_loud': 1}, "'is_loud' is 1, expected true or false"),
        ({'settings_id': 7}, "'settings_id' is 7, expected a string"),
    ],
)
def test_a_wrong_value_is_refused_with_node_name_and_place(declare, overrides, sentence):
    with pytest.raises(ValueError) as refusal:
        declare(**overrides)
    assert sentence in str(refusal.value)
    assert str(refusal.value).startswith('/arm/probe: parameter ')
    assert f'`/**/probe: ros__parameters: {next(iter(overrides))}`' in str(refusal.value)


@pytest.mark.parametrize('given', [None, ''])
def test_a_mandatory_parameter_must_be_given(declare, given):
    with pytest.raises(ValueError) as refusal:
        declare([params.ROBOT_FILE], robot_file=given)
    assert "'robot_file' is not set" in str(refusal.value)
    assert "node 'probe' in namespace '/arm'" in str(refusal.value)
    assert '`/**/probe: ros__parameters: robot_file`' in str(refusal.value)


def test_without_settings_id_nothing_starts(declare):
    with pytest.raises(ValueError, match="'settings_id' is not set"):
        declare(settings_id=None)


def test_an_override_that_nothing_declares_is_refused_with_near_matches(declare):
    with pytest.raises(ValueError) as refusal:
        declare(rat=20.0, zebra=1)
    assert "'rat' (did you mean 'rate'" in str(refusal.value)
    assert "'zebra' (known: " in str(refusal.value)


def test_overrides_of_rclpy_itself_are_allowed(declare):
    node, _ = declare(
        use_sim_time=True, start_type_description_service=False, **{'qos_overrides./t.depth': 5}
    )
    assert node.get_parameter('use_sim_time').value is True


def test_an_override_that_only_begins_like_one_of_rclpy_is_not(declare):
    with pytest.raises(ValueError, match="'use_sim_time_'"):
        declare(use_sim_time_=True)


def test_settings_cannot_be_assigned(declare):
    _, settings = declare()
    with pytest.raises(AttributeError, match='read-only: rate'):
        settings.rate = 3.0
    with pytest.raises(AttributeError, match="no parameter 'rat'"):
        _ = settings.rat


def test_parameters_are_read_only(declare):
    node, settings = declare()
    assert not node.set_parameters([RclParameter('rate', value=30.0)])[0].successful
    assert settings.rate == 50.0


def test_live_parameters_are_used_or_refused_with_a_sentence(declare):
    node, _ = declare(LIVE)
    used = []

    def use(settings):
        if settings.model == 'small' and not settings.model_file:
            raise ValueError('a small model needs its file')
        used.append((settings.rate, settings.model, settings.model_file))

    def setting(**values):
        given = [RclParameter(name.replace('__', '.'), value=value) for name, value in values.items()]
        return node.set_parameters_atomically(given)

    params.on_change(node, LIVE, use)
    refused = setting(model='small')
    assert not refused.successful and refused.reason == 'a small model needs its file'
    assert node.get_parameter('model').value == 'full' and used == []
    assert setting(model='small', model__file='f').successful
    assert used == [(50.0, 'small', 'f')]
    assert node.get_parameter('model').value == 'small'
    assert "'model' is 'tiny', expected one of 'full', 'small'" in setting(model='tiny').reason
    assert not setting(rate=20.0).successful
    assert setting(use_sim_time=True).successful
    assert len(used) == 1


def test_descriptors_tell_what_is_allowed(declare):
    node, _ = declare()
    rate = node.describe_parameter('rate')
    assert rate.description == 'steps per second [Hz]'
    assert rate.read_only
    assert (rate.floating_point_range[0].from_value, rate.floating_point_range[0].to_value) == (1.0, 1000.0)
    assert node.describe_parameter('iterations').integer_range[0].from_value == 1
    assert node.describe_parameter('kind').additional_constraints == "one of 'sine', 'step'"


def test_effective_lists_every_value_in_force(declare):
    node, _ = declare(rate=20.0)
    values = params.effective(node)
    assert values['rate'] == 20.0
    assert values['gains'] == [1.0, 2.0]
    assert values['ukf.noise'] == 0.1
    assert values['use_sim_time'] is False
