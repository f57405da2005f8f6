"""Whether tendons, chambers, disks, markers, masses and loads lie where they can on their links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .errors import Location, Refusals, did_you_mean
from .external import DistributedLoad
from .routed import Routed
from .soft_link import ROUNDING, SoftLink
from .structure import Links, check_within, is_known
from .tendon import DiskGuides, PointsTendon, Tendon

if TYPE_CHECKING:
    from .robot import Robot

SAMPLES = 2001
"""Points at which a path is compared with the section."""


def check_placement(robot: Robot, refusals: Refusals) -> None:
    """Add what is misplaced in `robot` to `refusals`, located relative to the robot."""
    links = {link.name: link for link in robot.links}
    guides = {each.name: each for each in robot.disk_guides}
    for i, tendon in enumerate(robot.tendons):
        if isinstance(tendon, PointsTendon):
            # `points` is the kind of the tendon, and then a key of it.
            where = ('tendons', i, 'points', 'points')
            for k, point in enumerate(tendon.points):
                _check_point((*where, k), point.link, point.arc_length, point.offset, links, refusals)
        else:
            _check_tendon(('tendons', i), tendon, links, guides, refusals)
    for i, disks in enumerate(robot.disk_guides):
        if _is_soft(('disk_guides', i, 'link'), disks.link, links, refusals):
            check_within(('disk_guides', i, 'arc_length'), disks.arc_length, links[disks.link], refusals)
    for i, chamber in enumerate(robot.chambers):
        if _is_soft(('chambers', i, 'link'), chamber.link, links, refusals):
            _check_path(('chambers', i), chamber, links[chamber.link], 0.0, 'the section', refusals)
    for part in ('markers', 'masses'):
        for i, item in enumerate(getattr(robot, part)):
            _check_point((part, i), item.link, item.arc_length, item.offset, links, refusals)
    _check_loads(robot, links, refusals)
    for link in links.values():
        if isinstance(link, SoftLink):
            _check_chamber_areas(robot, link, refusals)


def _is_soft(where: Location, name: str, links: Links, refusals: Refusals) -> bool:
    if not is_known(where, name, links, refusals):
        return False
    is_soft = isinstance(links[name], SoftLink)
    if not is_soft:
        fix = 'name a soft link; a cable over rigid links is a tendon of type points'
        refusals.add(where, name, 'the link is not soft', 'the name of a soft link', f'{name!r}, rigid', fix)
    return is_soft


def _check_point(
    where: Location,
    name: str,
    arc_length: float,
    offset: tuple[float, ...],
    links: Links,
    refusals: Refusals,
) -> None:
    """Refuse a point that is not on its link, or further off it than half the length of the body."""
    if not is_known((*where, 'link'), name, links, refusals):
        return
    link = links[name]
    check_within((*where, 'arc_length'), (arc_length,), link, refusals)
    # A rigid link may be flat: a platform reaches further across its x axis than along it.
    most = 0.5 * (link.length if isinstance(link, SoftLink) else sum(each.length for each in links.values()))
    distance = float(np.linalg.norm(offset))
    if distance > most:
        refusals.add(
            (*where, 'offset'),
            offset,
            'the point stands too far off the body',
            f'at most half the length of the body, {most:g} m',
            f'{distance:g} m',
            'offsets are in metres: 25 mm is 0.025',
        )


def _check_loads(robot: Robot, links: Links, refusals: Refusals) -> None:
    for i, load in enumerate(robot.loads):
        where = ('loads', i)
        if isinstance(load, DistributedLoad):
            if _is_soft((*where, 'link'), load.link, links, refusals):
                check_within((*where, 'range'), load.range, links[load.link], refusals)
        elif is_known((*where, 'link'), load.link, links, refusals):
            check_within((*where, 'arc_length'), (load.arc_length,), links[load.link], refusals)


def _check_tendon(
    where: Location, tendon: Tendon, links: Links, guides: dict[str, DiskGuides], refusals: Refusals
) -> None:
    if not _is_soft((*where, 'link'), tendon.link, links, refusals):
        return
    link = links[tendon.link]
    if tendon.guides is None:
        _check_path(where, tendon, link, 0.0, 'the section', refusals)
        return
    disks = guides.get(tendon.guides)
    if disks is None:
        expected, fix = 'the name of disk guides of this file', did_you_mean(tendon.guides, guides)
        what, got = 'unknown disk guides', repr(tendon.guides)
        refusals.add((*where, 'guides'), tendon.guides, what, expected, got, fix)
        return
    if disks.link != tendon.link:
        refusals.add(
            (*where, 'guides'),
            tendon.guides,
            'the disks are on another link than the tendon',
            f'disks on link {tendon.link!r}',
            f'disks on link {disks.link!r}',
            'tendon and disks must name the same link',
        )
    places = ', '.join(f'{x:g}' for x in disks.arc_length)
    if not np.any(np.isclose(disks.arc_length, tendon.range[1], rtol=0.0, atol=1e-9)):
        refusals.add(
            (*where, 'range'),
            tendon.range,
            'the tendon does not end at a disk',
            f'a range that ends at a disk of {tendon.guides!r}',
            f'{tendon.range[1]:g} m',
            'a guided tendon is fixed in its last disk; there are disks at ' + places,
        )
    _check_path(where, tendon, link, disks.radius_margin, f'the disks {tendon.guides!r}', refusals)


def _check_path(
    where: Location, item: Routed, link: SoftLink, margin: float, inside: str, refusals: Refusals
) -> None:
    """Refuse a path that leaves the section by more than `margin` in m; `inside` names what it leaves."""
    before = len(refusals)
    check_within((*where, 'range'), item.range, link, refusals)
    if len(refusals) > before:
        return
    X = np.linspace(*item.range, SAMPLES)
    offset = item.path.offset(X)
    excess = link.excess(X, offset) - margin
    worst = int(np.argmax(excess))
    # Not >, so that a path which is not a number anywhere is refused too.
    if not excess[worst] <= ROUNDING * link.radius(X)[worst]:
        distance = float(np.linalg.norm(offset[worst]))
        refusals.add(
            (*where, 'path'),
            item.path,
            f'the path leaves {inside}',
            f'at most {distance - excess[worst]:g} m from the centre line at arc length {X[worst]:g} m',
            f'{distance:g} m',
            'offsets are in metres; route it further inside or check the size of the section',
        )


def _check_chamber_areas(robot: Robot, link: SoftLink, refusals: Refusals) -> None:
    """Refuse the chamber whose area brings all chambers of a section to more than the section's area."""
    X = np.linspace(0.0, link.length, SAMPLES)
    free = link.area(X)
    for i, chamber in enumerate(robot.chambers):
        if chamber.link != link.name:
            continue
        acts = (chamber.range[0] <= X) & (chamber.range[1] >= X)
        free = free - chamber.area * acts
        if np.any(free < 0.0):
            worst = int(np.argmin(free))
            refusals.add(
                ('chambers', i, 'area'),
                chamber.area,
                'the chambers are larger than the section',
                f'together at most {link.area(X[worst]):g} m2 at arc length {X[worst]:g} m',
                f'{link.area(X[worst]) - free[worst]:g} m2 with this one',
                'areas are in m2: 80 mm2 is 80.0e-6',
            )
            return
