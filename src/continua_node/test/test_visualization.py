"""Drawings for RViz: what a MarkerArray holds of robots with branches, rigid links and cables."""

from pathlib import Path

import numpy as np
import pytest
from builtin_interfaces.msg import Time
from visualization_msgs.msg import Marker

from continua.description import load_robot
from continua.rod import Rod
from continua.rod.drawing import draw
from continua_node.visualization import drawing_to_markers

ROBOTS = Path(__file__).parents[3] / 'config/robots'
STAMP = Time(sec=12, nanosec=345)


def array_of(points):
    return np.array([[p.x, p.y, p.z] for p in points]).reshape(-1, 3)


@pytest.mark.parametrize(
    'name', ['tendon_arm', 'soft_legged_platform', 'hyper_redundant_arm', 'sdre_prototype']
)
def test_the_markers_hold_the_bodies_tendons_and_points_of_the_drawing(name):
    rod = Rod(load_robot(ROBOTS / f'{name}.yaml'))
    q = 0.2 * rod.scale * np.random.default_rng(7).uniform(-1.0, 1.0, rod.dof)
    drawing = draw(rod, q)
    markers = drawing_to_markers(drawing, STAMP, 'world', 'truth', (0.1, 0.2, 0.3, 0.4)).markers
    assert [m.ns for m in markers] == ['truth/soft', 'truth/rigid', 'truth/tendons', 'truth/points']
    assert all((m.header.frame_id, m.header.stamp) == ('world', STAMP) for m in markers)
    assert [m.type for m in markers] == [
        Marker.TRIANGLE_LIST,
        Marker.TRIANGLE_LIST,
        Marker.LINE_LIST,
        Marker.SPHERE_LIST,
    ]
    soft, rigid, tendons, points = (array_of(marker.points) for marker in markers)
    for triangles, meshes in ((soft, drawing.soft), (rigid, drawing.rigid)):
        a, b, c = triangles.reshape(-1, 3, 3).transpose(1, 0, 2)
        # closed surfaces that face outwards, by the divergence theorem
        volume = np.einsum('fi,fi->', a, np.cross(b, c)) / 6.0
        assert volume == pytest.approx(sum(mesh.volume for mesh in meshes.values()), abs=1e-12)
    lines = tendons.reshape(-1, 2, 3)
    begin = 0
    for path in drawing.tendons.values():
        segments = lines[begin : begin + len(path) - 1]
        np.testing.assert_array_equal(segments, np.stack([path[:-1], path[1:]], axis=1))
        begin += len(path) - 1
    assert begin == len(lines)
    np.testing.assert_array_equal(points, drawing.markers)
