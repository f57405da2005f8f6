"""Message types of the tests, from the .msg files of this repository and rosbags' own of ROS 2."""

from pathlib import Path

import pytest
from continua.io.definitions import message_definition
from continua.io.metadata import Qos, Topic
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

MESSAGES = Path(__file__).parents[3] / 'continua_msgs' / 'msg'
TEXTS = {
    ('std_msgs', 'Header'): 'builtin_interfaces/Time stamp\nstring frame_id\n',
    ('std_msgs', 'String'): 'string data\n',
    ('builtin_interfaces', 'Time'): 'int32 sec\nuint32 nanosec\n',
}


def read_text(package, name):
    if package == 'continua_msgs':
        return (MESSAGES / f'{name}.msg').read_text()
    return TEXTS[package, name]


class Types:
    """Builds topics and CDR bytes; `types('std_msgs/msg/String', data='x')` makes a message."""

    def __init__(self):
        self.store = get_typestore(Stores.ROS2_JAZZY)
        for path in MESSAGES.glob('*.msg'):
            self.store.register(get_types_from_msg(path.read_text(), f'continua_msgs/msg/{path.stem}'))

    def topic(self, name, type_name, *qos):
        return Topic(
            name=name,
            type=type_name,
            definition=message_definition(type_name, read_text),
            type_hash=self.store.hash_rihs01(type_name),
            qos=qos or (Qos(),),
        )

    def cdr(self, type_name, **fields):
        return bytes(self.store.serialize_cdr(self.store.types[type_name](**fields), type_name))

    def header(self, stamp, frame_id='world'):
        time = self.store.types['builtin_interfaces/msg/Time'](stamp // 10**9, stamp % 10**9)
        return self.store.types['std_msgs/msg/Header'](time, frame_id)


@pytest.fixture(scope='session')
def types():
    return Types()
