"""Whether tendons, chambers, disks and markers lie where they can: on a link and inside its section."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .actuators import Chamber, DiskGuides, Routed, Tendon
from .errors import Location, Refusals, did_you_mean
from .link import SoftLink
from .marker import Marker

if TYPE_CHECKING:
    from .robot import Robot

Radius = Callable[[NDArray[np.float64]], NDArray[np.float64]]

SAMPLES = 2001
"""Points at which a path is compared with the section."""

SLACK = 1e-6
"""Relative overshoot that is rounding, not routing: a path along the skin is inside."""


def check_placement(robot: Robot, refusals: Refusals) -> None:
    """Add what is misplaced in `robot` to `refusals`, located relative to the robot."""
    links = {link.name: link for link in robot.links}
    guides = {each.name: each for each in robot.disk_guides}
    for part in ('tendons', 'disk_guides', 'chambers', 'markers'):
        for i, item in enumerate(getattr(robot, part)):
            link = links.get(item.link)
            if link is None:
                _unknown((part, i, 'link'), 'link', item.link, links, refusals)
            elif isinstance(item, Tendon):
                _check_tendon((part, i), item, link, guides, refusals)
            elif isinstance(item, DiskGuides):
                _check_within((part, i, 'arc_length'), item.arc_length, link, refusals)
            elif isinstance(item, Chamber):
                _check_path((part, i), item, link, link.radius, 'the section', refusals)
            else:
                _check_marker((part, i), item, link, refusals)
    for link in robot.links:
        _check_chamber_areas(robot, link, refusals)


def _unknown(where: Location, kind: str, name: str, known: Sequence[str], refusals: Refusals) -> None:
    fix = did_you_mean(name, known)
    refusals.add(where, name, f'unknown {kind}', f'the name of {kind} in this file', repr(name), fix)


def _check_within(where: Location, arc_lengths: Sequence[float], link: SoftLink, refusals: Refusals) -> None:
    if max(arc_lengths) > link.length:
        refusals.add(
            where,
            arc_lengths,
            'this lies beyond the tip of the link',
            f'arc lengths from 0 to {link.length:g} m',
            f'{max(arc_lengths):g} m',
            f'link {link.name!r} ends at {link.length:g} m; check for a slip of unit',
        )


def _check_tendon(
    where: Location, tendon: Tendon, link: SoftLink, guides: dict[str, DiskGuides], refusals: Refusals
) -> None:
    if tendon.guides is None:
        _check_path(where, tendon, link, link.radius, 'the section', refusals)
        return
    disks = guides.get(tendon.guides)
    if disks is None:
        _unknown((*where, 'guides'), 'disk guides', tendon.guides, guides, refusals)
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

    def reach(X: NDArray[np.float64]) -> NDArray[np.float64]:
        return link.radius(X) + disks.radius_margin

    _check_path(where, tendon, link, reach, f'the disks {tendon.guides!r}', refusals)


def _check_path(
    where: Location, item: Routed, link: SoftLink, reach: Radius, inside: str, refusals: Refusals
) -> None:
    """Refuse a path that leaves the radius `reach(X)`; `inside` names what it leaves."""
    before = len(refusals)
    _check_within((*where, 'range'), item.range, link, refusals)
    if len(refusals) > before:
        return
    X = np.linspace(*item.range, SAMPLES)
    distance = np.hypot(*item.path.offset(X).T)
    excess = distance - reach(X)
    worst = int(np.argmax(excess))
    # Not >, so that a path which is not a number anywhere is refused too.
    if not excess[worst] <= SLACK * reach(X)[worst]:
        refusals.add(
            (*where, 'path'),
            item.path,
            f'the path leaves {inside}',
            f'at most {reach(X)[worst]:g} m from the centre line at arc length {X[worst]:g} m',
            f'{distance[worst]:g} m',
            'offsets are in metres; route it further inside or check the radius of the link',
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


def _check_marker(where: Location, marker: Marker, link: SoftLink, refusals: Refusals) -> None:
    _check_within((*where, 'arc_length'), (marker.arc_length,), link, refusals)
    distance = float(np.hypot(*marker.offset))
    if distance > 0.5 * link.length:
        refusals.add(
            (*where, 'offset'),
            marker.offset,
            'the marker stands too far off the body',
            f'at most half the length of the link, {0.5 * link.length:g} m',
            f'{distance:g} m',
            'offsets are in metres: 25 mm is 0.025',
        )
