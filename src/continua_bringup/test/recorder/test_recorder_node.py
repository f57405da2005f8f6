"""The recorder process beside publishers of a test: what they say is what the bag holds."""

import json
import signal
from pathlib import Path

import pytest
import rclpy
import yaml
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rosbags.highlevel import AnyReader
from std_msgs.msg import String

from continua.description import load_robot
from continua.io.bag_reader import bag_information, is_finished, open_bag
from continua_msgs.msg import MarkerArray3D, RodShape, TendonState
from continua_node import qos, testing

ROOT = Path(__file__).resolve().parents[4]
ROBOT_FILE = ROOT / 'config/robots/tendon_arm.yaml'
EXECUTABLE = testing.executable('continua_bringup', 'recorder')


@pytest.fixture
def bench():
    with testing.Bench('/tendon_arm') as bench:
        yield bench


@pytest.fixture
def bag(tmp_path):
    return tmp_path / 'run' / 'bag'


def start(bench, bag, *arguments):
    settings = ['--params-file', str(ROOT / 'config/nodes/recorder.yaml')]
    return bench.start(
        EXECUTABLE, *settings, '-p', f'robot_file:={ROBOT_FILE}', '-p', f'bag_dir:={bag}', *arguments
    )


def advertise(bench, message_type, topic, profile):
    """A publisher that the recorder listens to."""
    publisher = bench.node.create_publisher(message_type, topic, profile)
    bench.wait_until(publisher.get_subscription_count, f'a subscription to {topic}')
    return publisher


def shape(k):
    message = RodShape(arc_length=[0.0, 0.1], position=[float(k)] * 6, strain=[0.0] * 12)
    message.header.stamp.sec = k
    return message


def recorded(bag):
    """Messages by topic."""
    result = {}
    with open_bag(bag) as reader:
        for connection, _, raw in reader.messages():
            message = reader.deserialize(raw, connection.msgtype)
            result.setdefault(connection.topic, []).append(message)
    return result


def test_every_message_is_recorded_until_the_stop(bench, bag):
    """A burst, at the end of which the recorder is stopped at once; publishers keep only their last one."""
    with start(bench, bag) as node:
        shapes = advertise(bench, RodShape, 'estimate/shape', qos.STATE.offered)
        markers = advertise(bench, MarkerArray3D, 'markers', qos.SENSOR.offered)
        states = advertise(bench, TendonState, 'tendon/state', qos.SENSOR.offered)
        for k in range(300):
            shapes.publish(shape(k))
            markers.publish(MarkerArray3D(name=['m0'], position=[float(k), 0.0, 0.0], valid=[1]))
            states.publish(TendonState(name=['t'], tension=[float(k)]))
            if k % 50 == 0:
                assert states.wait_for_all_acked()  # the middleware holds 512 messages on their way
        for publisher in (shapes, markers, states):
            assert publisher.wait_for_all_acked()
        assert node.stop(signal.SIGTERM) == 0
        assert '0 messages lost, 0 dropped' in node.output()
    assert is_finished(bag)
    messages = recorded(bag)
    assert [m.header.stamp.sec for m in messages['/tendon_arm/estimate/shape']] == list(range(300))
    assert [m.position[0] for m in messages['/tendon_arm/markers']] == list(map(float, range(300)))
    assert [m.tension[0] for m in messages['/tendon_arm/tendon/state']] == list(map(float, range(300)))
    assert '/rosout' in messages
    information = bag_information(bag)
    counts = {t['topic_metadata']['name']: t for t in information['topics_with_message_count']}
    assert {name: t['message_count'] for name, t in counts.items()} == {
        name: len(messages.get(name, ())) for name in counts
    }


def test_types_and_hashes_are_those_of_the_graph(bench, bag):
    """AnyReader compares the hash of each type with the one it makes from the definition in the file."""
    with start(bench, bag) as node:
        shapes = advertise(bench, RodShape, 'estimate/shape', qos.STATE.offered)
        (endpoint,) = bench.node.get_publishers_info_by_topic('/tendon_arm/estimate/shape')
        shapes.publish(shape(0))
        shapes.wait_for_all_acked()
        assert node.stop() == 0
    with AnyReader([bag]) as reader:
        (connection,) = reader.topics['/tendon_arm/estimate/shape'].connections
        assert connection.digest == str(endpoint.topic_type_hash)
        assert reader.typestore.hash_rihs01('continua_msgs/msg/RodShape') == connection.digest


def test_circumstances_are_in_the_bag(bench, bag):
    with start(bench, bag) as node:
        bench.wait_until(lambda: len(parameters(bag)) == 2, 'the parameters of the recorder and the bench')
        assert node.stop() == 0
    robot = load_robot(ROBOT_FILE)
    custom_data = bag_information(bag)['custom_data']
    assert (custom_data['robot'], custom_data['robot_hash']) == ('tendon_arm', robot.hash)
    assert custom_data['settings_id'] == 'recorder'
    assert custom_data['software'].split()[0] in ('git', 'continua')
    assert (json.loads(custom_data['lost']), json.loads(custom_data['dropped'])) == ({}, {})
    assert load_robot(bag / 'robot.yaml').hash == robot.hash
    own = parameters(bag)['/tendon_arm/recorder']['ros__parameters']
    assert own['bag_dir'] == str(bag)
    assert own['topics'][0] == '*'
    assert parameters(bag)['/tendon_arm/bench']['ros__parameters']['use_sim_time'] is False


def parameters(bag):
    """Of the nodes that have answered so far."""
    path = bag / 'parameters.yaml'
    return yaml.safe_load(path.read_text()) if path.exists() else {}


def test_quality_of_service_follows_the_publishers(bench, bag):
    """Latched from before the start; best effort; and one that joins a reliable one with less."""
    latched = bench.node.create_publisher(String, 'robot_description', qos.LATCHED.offered)
    latched.publish(String(data='from before'))
    best_effort = QoSProfile(depth=5, reliability=ReliabilityPolicy.BEST_EFFORT)
    with start(bench, bag) as node:
        camera = advertise(bench, String, 'camera', best_effort)
        first = advertise(bench, String, 'mixed', qos.STATE.offered)
        first.publish(String(data='reliable'))
        assert first.wait_for_all_acked()
        second = advertise(bench, String, 'mixed', best_effort)
        second.publish(String(data='best effort'))
        camera.publish(String(data='picture'))
        expected = {'mixed': 2, 'camera': 1, 'robot_description': 1}
        bench.wait_until(lambda: {name: count(bag, name) for name in expected} == expected, 'all messages')
        assert node.stop() == 0
    messages = recorded(bag)
    assert [m.data for m in messages['/tendon_arm/robot_description']] == ['from before']
    assert [m.data for m in messages['/tendon_arm/mixed']] == ['reliable', 'best effort']
    assert [m.data for m in messages['/tendon_arm/camera']] == ['picture']
    with AnyReader([bag]) as reader:
        (connection,) = reader.topics['/tendon_arm/robot_description'].connections
        (offered,) = connection.ext.offered_qos_profiles
        assert offered.durability.name == 'TRANSIENT_LOCAL'
        assert offered.reliability.name == 'RELIABLE'
        (connection,) = reader.topics['/tendon_arm/camera'].connections
        assert connection.ext.offered_qos_profiles[0].reliability.name == 'BEST_EFFORT'


def count(bag, topic):
    """Messages of a topic that `metadata.yaml` of a growing bag speaks of."""
    for entry in bag_information(bag)['topics_with_message_count']:
        if entry['topic_metadata']['name'] == f'/tendon_arm/{topic}':
            return entry['message_count']
    return 0


def test_kill_9_leaves_a_bag_that_opens(bench, bag):
    with start(bench, bag) as node:
        shapes = advertise(bench, RodShape, 'estimate/shape', qos.STATE.offered)
        published = 0

        def publish_and_look():
            nonlocal published
            shapes.publish(shape(published))
            published += 1
            return count(bag, 'estimate/shape') >= 50

        bench.wait_until(publish_and_look, 'fifty messages on the disk')
        said = count(bag, 'estimate/shape')
        assert node.stop(signal.SIGKILL) == -signal.SIGKILL
    assert not is_finished(bag)
    stamps = [m.header.stamp.sec for m in recorded(bag)['/tendon_arm/estimate/shape']]
    assert stamps == list(range(len(stamps)))
    assert len(stamps) >= said
    assert load_robot(bag / 'robot.yaml').name == 'tendon_arm'


def test_only_the_topics_asked_for(bench, bag):
    with start(
        bench, bag, '-p', "topics:=['tendon/*', '/other/topic']", '-p', "exclude:=['*/drawing']"
    ) as node:
        wanted = advertise(bench, String, 'tendon/state', qos.STATE.offered)
        other = advertise(bench, String, '/other/topic', qos.STATE.offered)
        bench.node.create_publisher(String, 'tendon/drawing', qos.STATE.offered).publish(String())
        bench.node.create_publisher(String, 'estimate/shape', qos.STATE.offered).publish(String())
        for publisher in (wanted, other):
            publisher.publish(String(data='x'))
            publisher.wait_for_all_acked()
        assert node.stop() == 0
    assert recorded(bag).keys() == {'/tendon_arm/tendon/state', '/other/topic'}


def second_context(bench, request):
    """What a second process would have; one alone cannot publish two types on a topic."""
    context = rclpy.Context()
    context.init(domain_id=bench.node.context.get_domain_id())
    request.addfinalizer(context.try_shutdown)
    return context


def test_a_topic_with_two_types_is_refused_aloud_and_the_others_go_on(bench, bag, request):
    bench.node.create_publisher(String, 'confused', qos.STATE.offered)
    other = rclpy.create_node('other', namespace='/tendon_arm', context=second_context(bench, request))
    other.create_publisher(RodShape, 'confused', qos.STATE.offered)
    diagnostics = bench.collect(DiagnosticArray, '/diagnostics', qos.STATE)

    def is_reported():
        values = {v.key: v.value for message in diagnostics for v in message.status[0].values}
        return values.get('refused_topics') == '1'

    with start(bench, bag) as node:
        publisher = advertise(bench, String, 'sound', qos.STATE.offered)
        publisher.publish(String(data='x'))
        assert publisher.wait_for_all_acked()
        bench.wait_until(is_reported, 'the refusal in /diagnostics')
        assert node.stop() == 0
        assert '/tendon_arm/confused is not recorded, or not all of it: its pub' in node.output()
    assert len(recorded(bag)['/tendon_arm/sound']) == 1


def test_lost_messages_are_counted(bench, bag):
    """The recorder is frozen while more messages come than its queue holds."""
    with start(bench, bag) as node:
        publisher = advertise(bench, String, 'burst', QoSProfile(depth=1))
        publisher.publish(String(data='first'))
        bench.wait_until(lambda: count(bag, 'burst') == 1, 'the first message')
        node.send(signal.SIGSTOP)
        for k in range(3000):
            publisher.publish(String(data=str(k)))
        node.send(signal.SIGCONT)
        publisher.publish(String(data='last'))
        assert publisher.wait_for_all_acked()
        assert node.stop() == 0
    texts = [m.data for m in recorded(bag)['/tendon_arm/burst']]
    lost = json.loads(bag_information(bag)['custom_data']['lost'])
    assert (texts[0], texts[-1]) == ('first', 'last')
    assert len(texts) < 3002
    assert lost == {'/tendon_arm/burst': 3002 - len(texts)}


@pytest.mark.parametrize(
    ('argument', 'sentence'),
    [
        ('bag_dir:={folder}', 'exists already; a bag is never overwritten'),
        ('robot_file:={folder}/none.yaml', 'none.yaml'),
        ('bag_folder:={folder}', "did you mean 'bag_dir'"),
    ],
)
def test_wrong_settings_stop_the_start_with_a_sentence(bench, bag, tmp_path, argument, sentence):
    with start(bench, bag, '-p', argument.format(folder=tmp_path)) as node:
        assert node.wait() == 2
        assert sentence in node.output()
        assert 'Traceback' not in node.output()
