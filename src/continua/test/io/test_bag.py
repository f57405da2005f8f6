"""A bag written by BagWriter is what rosbags, and rosbag2's own layout rules, expect."""

import numpy as np
import pytest
import yaml
from mcap.reader import make_reader
from rosbags.highlevel import AnyReader

from continua.io.bag import BagWriter
from continua.io.metadata import Qos

SHAPE = 'continua_msgs/msg/RodShape'
STATE = 'continua_msgs/msg/TendonState'
STRING = 'std_msgs/msg/String'
START = 1_700_000_000_000_000_000


def write_some(folder, types):
    """Three topics of three types, 5 + 3 + 0 messages, 10 ms apart."""
    with BagWriter(folder, {'robot': 'tendon_arm'}, ros_distro='kilted') as bag:
        bag.add_topic(types.topic('/arm/estimate/shape', SHAPE))
        latched = Qos(durability='transient_local', deadline=1_500_000_000)
        bag.add_topic(types.topic('/arm/robot_description', STRING, latched, Qos(reliability='best_effort')))
        bag.add_topic(types.topic('/arm/tendon/state', STATE))
        for k in range(5):
            stamp = START + k * 10_000_000
            data = types.cdr(
                SHAPE,
                header=types.header(stamp),
                arc_length=np.array([0.0, 0.1 * k]),
                position=np.arange(6.0) + k,
                orientation_xyzw=np.array([0.0, 0.0, 0.0, 1.0] * 2),
                strain=np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0] * 2),
            )
            bag.write('/arm/estimate/shape', data, stamp + 1000, stamp, sequence=k + 1)
        for k in range(3):
            data = types.cdr(STRING, data=f'text {k}')
            bag.write('/arm/robot_description', data, START + k, START + k)


def test_round_trip_through_any_reader(tmp_path, types):
    write_some(tmp_path / 'bag', types)
    with AnyReader([tmp_path / 'bag']) as reader:
        assert {name: info.msgcount for name, info in reader.topics.items()} == {
            '/arm/estimate/shape': 5,
            '/arm/robot_description': 3,
            '/arm/tendon/state': 0,
        }
        assert reader.start_time == START
        messages = [(c.topic, t, reader.deserialize(raw, c.msgtype)) for c, t, raw in reader.messages()]
    shapes = [(t, m) for topic, t, m in messages if topic == '/arm/estimate/shape']
    assert [t for t, _ in shapes] == [START + k * 10_000_000 + 1000 for k in range(5)]
    for k, (_, message) in enumerate(shapes):
        np.testing.assert_array_equal(message.position, np.arange(6.0) + k)
        np.testing.assert_array_equal(message.arc_length, [0.0, 0.1 * k])
        assert message.header.frame_id == 'world'
    assert [m.data for topic, _, m in messages if topic == '/arm/robot_description'] == [
        'text 0',
        'text 1',
        'text 2',
    ]


def test_every_own_message_type_can_be_recorded(tmp_path, types):
    """Definition text and type hash of each .msg agree: AnyReader compares them when it opens a bag."""
    names = sorted(name for name in types.store.types if name.startswith('continua_msgs/msg/'))
    assert len(names) > 5
    with BagWriter(tmp_path / 'bag') as bag:
        for i, name in enumerate(names):
            bag.add_topic(types.topic(f'/topic_{i}', name))
    with AnyReader([tmp_path / 'bag']) as reader:
        assert sorted(c.msgtype for c in reader.connections) == names
        assert [c.digest for c in reader.connections] == [types.store.hash_rihs01(n) for n in names]


def test_metadata_has_the_layout_of_rosbag2_version_9(tmp_path, types):
    write_some(tmp_path / 'bag', types)
    content = yaml.safe_load((tmp_path / 'bag' / 'metadata.yaml').read_text())
    information = content['rosbag2_bagfile_information']
    assert list(information) == [
        'version',
        'storage_identifier',
        'duration',
        'starting_time',
        'message_count',
        'topics_with_message_count',
        'compression_format',
        'compression_mode',
        'relative_file_paths',
        'files',
        'custom_data',
        'ros_distro',
    ]
    assert information['version'] == 9
    assert information['starting_time'] == {'nanoseconds_since_epoch': START}
    assert information['duration'] == {'nanoseconds': 40_001_000}
    assert information['message_count'] == 8
    assert information['relative_file_paths'] == ['bag_0.mcap']
    assert information['files'] == [
        {
            'path': 'bag_0.mcap',
            'starting_time': {'nanoseconds_since_epoch': START},
            'duration': {'nanoseconds': 40_001_000},
            'message_count': 8,
        }
    ]
    assert information['custom_data'] == {'robot': 'tendon_arm'}
    description = information['topics_with_message_count'][1]
    assert description['message_count'] == 3
    assert description['topic_metadata']['type_description_hash'].startswith('RIHS01_')
    latched, best_effort = description['topic_metadata']['offered_qos_profiles']
    forever = {'sec': 9223372036, 'nsec': 854775807}
    assert latched == {
        'history': 'unknown',
        'depth': 0,
        'reliability': 'reliable',
        'durability': 'transient_local',
        'deadline': {'sec': 1, 'nsec': 500_000_000},
        'lifespan': forever,
        'liveliness': 'automatic',
        'liveliness_lease_duration': forever,
        'avoid_ros_namespace_conventions': False,
    }
    assert best_effort['reliability'] == 'best_effort'
    assert Qos.decode(latched).encode() == latched


def test_mcap_file_carries_what_rosbag2s_storage_plugin_reads(tmp_path, types):
    """Metadata record `rosbag2`, channel metadata and publisher's sequence numbers."""
    write_some(tmp_path / 'bag', types)
    information = yaml.safe_load((tmp_path / 'bag' / 'metadata.yaml').read_text())
    with (tmp_path / 'bag' / 'bag_0.mcap').open('rb') as stream:
        reader = make_reader(stream, validate_crcs=True)
        assert reader.get_header().profile == 'ros2'
        records = [r for r in reader.iter_metadata() if r.name == 'rosbag2']
        summary = reader.get_summary()
        sequence = [m.sequence for _, c, m in reader.iter_messages(topics=['/arm/estimate/shape'])]
    embedded = yaml.safe_load(records[-1].metadata['serialized_metadata'])
    assert embedded == information['rosbag2_bagfile_information']
    assert {schema.encoding for schema in summary.schemas.values()} == {'ros2msg'}
    for channel in summary.channels.values():
        assert channel.message_encoding == 'cdr'
        assert yaml.safe_load(channel.metadata['offered_qos_profiles'])[0]['history'] == 'unknown'
        assert channel.metadata['topic_type_hash'].startswith('RIHS01_')
    assert sequence == [1, 2, 3, 4, 5]


def test_a_bag_without_messages_opens(tmp_path, types):
    with BagWriter(tmp_path / 'bag') as bag:
        bag.add_topic(types.topic('/text', STRING))
    with AnyReader([tmp_path / 'bag']) as reader:
        assert reader.message_count == 0
        assert list(reader.topics) == ['/text']


def test_existing_folder_and_doubled_topic_are_refused(tmp_path, types):
    (tmp_path / 'bag').mkdir()
    with pytest.raises(ValueError, match='exists already.*never overwritten'):
        BagWriter(tmp_path / 'bag')
    with BagWriter(tmp_path / 'other') as bag:
        bag.add_topic(types.topic('/text', STRING))
        with pytest.raises(ValueError, match="topic '/text' is in the bag"):
            bag.add_topic(types.topic('/text', STRING))
