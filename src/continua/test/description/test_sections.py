"""Cross-sections: moments against integrals over the section, torsion constants against a handbook."""

import numpy as np
import pytest

from continua.description import AnnularSection, CircularSection, EllipticalSection, RectangularSection

SECTIONS = {
    'circular': CircularSection(shape='circular', radius=(0.02, 0.01)),
    'rectangular': RectangularSection(shape='rectangular', width=(0.03, 0.02), height=0.05),
    'elliptical': EllipticalSection(shape='elliptical', semi_axes={'y': (0.02, 0.015), 'z': 0.03}),
}
EDGE = 0.06
GRID = np.linspace(-EDGE, EDGE, 2401)
OFFSETS = np.stack(np.meshgrid(GRID, GRID, indexing='ij'), axis=-1)


@pytest.mark.parametrize('name', SECTIONS)
def test_moments_are_integrals_over_what_is_inside(name):
    section, fraction = SECTIONS[name], 0.4
    inside = section.excess(fraction, OFFSETS) <= 0.0
    cell = (GRID[1] - GRID[0]) ** 2
    y, z = OFFSETS[..., 0], OFFSETS[..., 1]
    area, about_y, about_z = (cell * np.sum(inside * f) for f in (1.0, z**2, y**2))
    # The grid counts a cell as in or out: of the order of its size over that of the section.
    assert section.area(fraction) == pytest.approx(area, rel=4e-3)
    assert section.second_moments(fraction) == pytest.approx([about_y + about_z, about_y, about_z], rel=6e-3)
    assert section.radius_at(fraction) == pytest.approx(np.max(inside * np.hypot(y, z)), abs=1e-4)


@pytest.mark.parametrize('name', SECTIONS)
def test_values_have_the_shape_of_the_fractions(name):
    section, fraction = SECTIONS[name], np.linspace(0.0, 1.0, 12).reshape(3, 4)
    assert section.area(fraction).shape == section.torsion_constant(fraction).shape == (3, 4)
    assert section.second_moments(fraction).shape == (3, 4, 3)
    assert section.radius_at(fraction).shape == (3, 4)
    assert section.excess(fraction, np.zeros((3, 4, 2))).max() < 0.0


@pytest.mark.parametrize(
    # Roark's Formulas for Stress and Strain: constant of a bar over (long side, short side cubed).
    ('ratio', 'coefficient'),
    [(1.0, 0.1406), (1.5, 0.1958), (2.0, 0.2287), (4.0, 0.2808), (10.0, 0.3123)],
)
def test_torsion_constant_of_rectangles(ratio, coefficient):
    lying = RectangularSection(shape='rectangular', width=ratio * 0.01, height=0.01)
    standing = RectangularSection(shape='rectangular', width=0.01, height=ratio * 0.01)
    expected = coefficient * ratio * 0.01**4
    assert lying.torsion_constant(0.5) == pytest.approx(expected, rel=1e-3)
    assert standing.torsion_constant(0.5) == pytest.approx(lying.torsion_constant(0.5))


def test_a_round_ellipse_is_a_circle():
    circle = CircularSection(shape='circular', radius=0.01)
    ellipse = EllipticalSection(shape='elliptical', semi_axes={'y': 0.01, 'z': 0.01})
    for name in ('area', 'second_moments', 'torsion_constant', 'radius_at'):
        assert getattr(ellipse, name)(0.3) == pytest.approx(getattr(circle, name)(0.3))
    offsets = np.array([[0.0, 0.0], [0.01, 0.0], [0.02, 0.0], [0.003, -0.004]])
    assert ellipse.excess(0.3, offsets) == pytest.approx(circle.excess(0.3, offsets), abs=1e-15)


def test_polar_moment_bounds_the_torsion_constant():
    for section in SECTIONS.values():
        assert section.torsion_constant(0.2) <= section.second_moments(0.2)[0] * (1.0 + 1e-12)


def test_a_ring_is_a_disk_without_a_disk():
    disks = [CircularSection(shape='circular', radius=radius) for radius in ((0.02, 0.01), (0.005, 0.004))]
    ring = AnnularSection(shape='annular', radius=(0.02, 0.01), inner_radius=(0.005, 0.004))
    for name in ('area', 'second_moments', 'torsion_constant'):
        outer, inner = (getattr(disk, name)(0.3) for disk in disks)
        assert getattr(ring, name)(0.3) == pytest.approx(outer - inner)
    assert ring.excess(0.3, np.array([0.0, 0.03])) == disks[0].excess(0.3, np.array([0.0, 0.03]))


def test_a_hole_that_leaves_nothing_is_refused():
    with pytest.raises(ValueError, match='the hole is not inside the section'):
        AnnularSection(shape='annular', radius=(0.02, 0.004), inner_radius=0.005)
