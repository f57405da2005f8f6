"""Message types of the tests, from the .msg files of this repository and rosbags' own of ROS 2."""

from pathlib import Path

import numpy as np
import pytest
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from continua.io.bag import BagWriter
from continua.io.definitions import message_definition
from continua.io.metadata import Qos, Topic

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


ROBOT = """
version: 1
name: arm
links:
  - name: rod
    type: soft
    length: 0.25
    section: {shape: circular, radius: [0.0125, 0.005]}
    material: {density: 1000.0, youngs_modulus: 1.0e6, poisson_ratio: 0.5, damping: 1.0e4}
    strain_basis:
      type: legendre
      order: {torsion: null, bending_y: 1, bending_z: 1, elongation: null, shear_y: null, shear_z: null}
markers:
  - {name: tip, link: rod, arc_length: 0.25, offset: [0.0, 0.0]}
  - {name: middle, link: rod, arc_length: 0.13, offset: [0.0, 0.02], role: held_out}
"""
CURVATURE = 5.0  # [rad/m]


def arc(shift, stations=11):
    """Fields of a RodShape: a circular arc in the x-y plane, shifted by `shift` (3,) m."""
    s = np.linspace(0.0, 0.25, stations)
    angle = CURVATURE * s
    zero = np.zeros_like(s)
    position = np.stack([np.sin(angle), 1.0 - np.cos(angle), zero], axis=1) / CURVATURE + shift
    quaternion = np.stack([zero, zero, np.sin(angle / 2), np.cos(angle / 2)], axis=1)
    return {
        'arc_length': s,
        'position': position.ravel(),
        'orientation_xyzw': quaternion.ravel(),
        'strain': np.tile([0.0, 0.0, CURVATURE, 1.0, 0.0, 0.0], stations),
    }


@pytest.fixture
def write_run(types):
    """Function that writes a bag of 4 s of an arm that travels at 0.1 m/s.

    The estimate is 5 mm off, by (3, 0, 4) mm, from its tenth on and 50 mm before; it is 20 ms old when it is
    received. The measured markers are off the truth by (0, 0, 2) mm. Truth and estimate have other stamps.
    """

    def write(folder, leave_out=(), finish=True, custom_data=None, estimates=('/arm/estimate/shape',)):
        bag = BagWriter(folder, {'robot': 'arm', 'robot_hash': 'abc', **(custom_data or {})})
        (folder / 'robot.yaml').write_text(ROBOT)
        messages = [
            (topic, *message)
            for topic, series in (
                ('/arm/truth/shape', truth()),
                *((topic, estimate()) for topic in estimates),
                ('/arm/markers', markers()),
                ('/arm/tendon/state', tendons()),
            )
            if topic not in leave_out
            for message in series
        ]
        for topic, type_name in sorted({(topic, type_name) for topic, type_name, *_ in messages}):
            bag.add_topic(types.topic(topic, type_name))
        for topic, type_name, received, fields in sorted(messages, key=lambda m: m[2]):
            bag.write(topic, types.cdr(type_name, **fields), START + received, START + received)
        if finish:
            bag.close()
        else:
            bag.flush()
        return folder

    def truth():
        for k in range(401):
            yield message('RodShape', 10 * k, 1, arc([1e-3 * k, 0.0, 0.0]))

    def estimate():
        for k in range(200):
            time = 20 * k + 5
            offset = np.array([0.003, 0.0, 0.004]) * (10 if k < 10 else 1)
            yield message('RodShape', time, 20, arc(np.array([1e-4 * time, 0.0, 0.0]) + offset))

    def markers():
        for k in range(200):
            points = marker_points() + [1e-4 * (20 * k + 5), 0.0, 0.002]
            valid = np.array([1, k % 2], dtype=np.uint8)
            position = (points * valid[:, None]).ravel()
            fields = {'name': ['tip', 'middle'], 'position': position, 'valid': valid}
            yield message('MarkerArray3D', 20 * k + 5, 1, fields)

    def tendons():
        for k in range(400):
            one = np.array([np.sin(0.01 * k)])
            fields = dict.fromkeys(('tension', 'displacement', 'velocity', 'command'), one)
            fields |= {'name': ['t'], 'is_saturated': np.array([False]), 'fault': np.array([0], np.uint16)}
            yield message('TendonState', 10 * k, 2, fields)

    def message(name, milliseconds, latency, fields):
        header = types.header(START + milliseconds * 10**6)
        received = (milliseconds + latency) * 10**6
        return f'continua_msgs/msg/{name}', received, {'header': header, **fields}

    return write


START = 1_700_000_000_000_000_000


def marker_points():
    """True positions of the two markers of an arm that is not shifted."""
    angle = CURVATURE * np.array([0.25, 0.13])
    return np.stack([np.sin(angle), 1.0 - np.cos(angle), [0.0, 0.0]], axis=1) / CURVATURE + [
        [0.0, 0.0, 0.0],
        [0.0, 0.0, 0.02],
    ]
