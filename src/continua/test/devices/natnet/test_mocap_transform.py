import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from continua.devices.mocap_transform import MocapTransform, load_transform

Y_UP = [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]
GOOD = {'version': 1, 'date': '2025-03-14', 'rotation': Y_UP, 'translation': [1.0, 2.0, 3.0]}


def write(folder, **changes):
    path = folder / 'mocap.yaml'
    path.write_text(yaml.safe_dump(GOOD | changes))
    return path


def test_y_up_becomes_z_up(tmp_path):
    transform = load_transform(write(tmp_path))
    np.testing.assert_allclose(transform.to_world(np.array([0.0, 1.0, 0.0])), [1.0, 2.0, 4.0])
    # Attitudes turn with positions: the body's y axis, up for the cameras, is up in world.
    turned = Rotation.from_quat(transform.orientation_to_world(np.array([0.0, 0.0, 0.0, 1.0])))
    np.testing.assert_allclose(turned.apply([0.0, 1.0, 0.0]), [0.0, 0.0, 1.0], atol=1e-12)


@given(st.integers(0, 2**32 - 1))
def test_there_and_back(seed):
    rng = np.random.default_rng(seed)
    transform = MocapTransform(Rotation.random(random_state=seed % 2**31).as_matrix(), rng.normal(size=3))
    points, turn = rng.normal(size=(5, 3)), Rotation.random(random_state=(seed + 1) % 2**31)
    np.testing.assert_allclose(transform.to_mocap(transform.to_world(points)), points, atol=1e-12)
    back = transform.orientation_to_mocap(transform.orientation_to_world(turn.as_quat()))
    np.testing.assert_allclose(Rotation.from_quat(back).as_matrix(), turn.as_matrix(), atol=1e-12)
    # A point that is fixed to a body is where the body's pose in world says.
    position, local = rng.normal(size=3), rng.normal(size=3)
    world = Rotation.from_quat(transform.orientation_to_world(turn.as_quat()))
    np.testing.assert_allclose(
        transform.to_world(position + turn.apply(local)),
        transform.to_world(position) + world.apply(local),
        atol=1e-12,
    )


@pytest.mark.parametrize(
    ('changes', 'words'),
    [
        ({'rotation': [[1, 0, 0], [0, 0, 1], [0, 1, 0]]}, 'it mirrors'),  # axes swapped
        ({'rotation': [[1000, 0, 0], [0, 0, -1000], [0, 1000, 0]]}, 'orthonormal'),
        ({'rotation': [[1, 0, 0], [0, 0.1, -1], [0, 1, 0]]}, 'orthonormal'),
        ({'rotation': [[1, 0, 0], [0, 0, float('nan')], [0, 1, 0]]}, 'finite'),
        ({'translation': [0, 0]}, 'translation'),
        ({'axes': 'y_up'}, 'axes'),
        ({'version': 2}, 'version'),
    ],
)
def test_what_is_no_transform_is_refused(tmp_path, changes, words):
    with pytest.raises(ValueError, match=words):
        load_transform(write(tmp_path, **changes))


def test_files_that_cannot_be_read_are_named(tmp_path):
    with pytest.raises(ValueError, match=r'no\.yaml'):
        load_transform(tmp_path / 'no.yaml')
    (tmp_path / 'mocap.yaml').write_text('rotation: [')
    with pytest.raises(ValueError, match='no YAML'):
        load_transform(tmp_path / 'mocap.yaml')


def test_rounded_numbers_become_a_rotation():
    rough = np.round(Rotation.from_euler('xyz', [0.3, 0.4, 0.5]).as_matrix(), 4)
    rotation = MocapTransform(rough, np.zeros(3)).rotation
    np.testing.assert_allclose(rotation.T @ rotation, np.eye(3), atol=1e-14)
