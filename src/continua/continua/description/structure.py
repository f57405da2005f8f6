"""Whether the links of a robot form a tree, and whether joints, loops and drives sit on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .attachment import Attachment
from .errors import Location, Refusals, did_you_mean
from .rigid_link import RigidLink
from .soft_link import SoftLink

if TYPE_CHECKING:
    from .robot import Robot

Links = Mapping[str, SoftLink | RigidLink]


def check_structure(robot: Robot, refusals: Refusals) -> None:
    """Add what does not hold together in `robot` to `refusals`, located relative to the robot."""
    links = {link.name: link for link in robot.links}
    _check_parents(robot, links, refusals)
    for i, link in enumerate(robot.links):
        _check_attachment(('links', i, 'attach'), link.attach, link.parent, links, refusals)
    for i, loop in enumerate(robot.loops):
        where = ('loops', i)
        if is_known((*where, 'link'), loop.link, links, refusals):
            _check_attachment((*where, 'attach'), loop.attach, loop.link, links, refusals)
        if loop.to is None or is_known((*where, 'to'), loop.to, links, refusals):
            _check_attachment((*where, 'to_attach'), loop.to_attach, loop.to, links, refusals)
        if loop.to == loop.link:
            what, expected = 'the loop joins a link to itself', f'another link than {loop.link!r}, or null'
            refusals.add((*where, 'to'), loop.to, what, expected, repr(loop.to), 'null is the base')
    _check_drives(robot, links, refusals)


def is_known(where: Location, name: str, links: Links, refusals: Refusals) -> bool:
    """Whether a link of that name exists; refused at `where` if not."""
    if name not in links:
        fix = did_you_mean(name, links)
        refusals.add(where, name, 'unknown link', 'the name of a link of this file', repr(name), fix)
    return name in links


def check_within(
    where: Location, arc_lengths: tuple[float, ...], link: SoftLink | RigidLink, refusals: Refusals
) -> None:
    """Refuse arc lengths that lie beyond the tip of `link`."""
    if max(arc_lengths) > link.length:
        refusals.add(
            where,
            arc_lengths,
            'this lies beyond the tip of the link',
            f'arc lengths from 0 to {link.length:g} m',
            f'{max(arc_lengths):g} m',
            f'link {link.name!r} ends at {link.length:g} m; check for a slip of unit',
        )


def _check_parents(robot: Robot, links: Links, refusals: Refusals) -> None:
    seen: set[str] = set()
    for i, link in enumerate(robot.links):
        where = ('links', i, 'parent')
        if link.parent is not None and is_known(where, link.parent, links, refusals):
            cycle = _cycle(link.name, links)
            if cycle:
                got, fix = ' -> '.join(cycle), 'give one of them another parent; null is the base'
                refusals.add(where, link.parent, 'the parents go round in a circle', 'a tree', got, fix)
            elif link.parent not in seen:
                expected = f'a link above {link.name!r} in the file'
                fix = f'move {link.parent!r} above {link.name!r}'
                refusals.add(where, link.parent, 'the parent comes later', expected, repr(link.parent), fix)
        seen.add(link.name)


def _cycle(name: str, links: Links) -> list[str]:
    """The names from `name` over its parents back to it; empty if they do not lead back."""
    names = [name]
    while (parent := links[names[-1]].parent) in links and len(names) <= len(links):
        names.append(parent)
        if parent == name:
            return names
    return []


def _check_attachment(
    where: Location, attach: Attachment, name: str | None, links: Links, refusals: Refusals
) -> None:
    """Refuse an arc length that the link `name`, None for the base, does not have."""
    X, where = attach.arc_length, (*where, 'arc_length')
    if X is None:
        return
    if name is None:
        what, fix = 'the base has no arc length', 'leave it out, or name a link'
        refusals.add(where, X, what, 'null', f'{X:g} m', fix)
    elif name in links:
        check_within(where, (X,), links[name], refusals)


def _check_drives(robot: Robot, links: Links, refusals: Refusals) -> None:
    driven: dict[tuple[str, int], str] = {}
    for i, drive in enumerate(robot.drives):
        if not is_known(('drives', i, 'joint'), drive.joint, links, refusals):
            continue
        where, joint = ('drives', i, 'coordinate'), links[drive.joint].joint
        if drive.coordinate >= joint.dof:
            refusals.add(
                where,
                drive.coordinate,
                'the joint has no such coordinate',
                f'0 to {joint.dof - 1}' if joint.dof else 'a joint that moves',
                f'{drive.coordinate} of a {joint.type} joint',
                'coordinates are counted from 0',
            )
        other = driven.setdefault((drive.joint, drive.coordinate), drive.name)
        if other != drive.name:
            what, expected = 'this coordinate is driven already', 'one drive per coordinate'
            fix = 'give each coordinate one drive'
            refusals.add(where, drive.coordinate, what, expected, f'that of drive {other!r}', fix)
