"""The whole robot: what a robot file describes, with the checks that concern several of its parts."""

import hashlib
import json
import math
from typing import Annotated, Any, TypeVar

import yaml
from pydantic import AfterValidator, Field, field_validator, model_validator

from .chamber import Chamber
from .drive import Drive
from .errors import Refusals, did_you_mean, refusal
from .external import Contact, Load, PointMass
from .fields import Description, Integer, Name, Position, Quaternion, Vector3, count, key
from .loop import Loop
from .marker import Marker
from .placement import check_placement
from .rigid_link import RigidLink
from .soft_link import SoftLink
from .structure import check_structure
from .tendon import AnyTendon, DiskGuides, PointsTendon, Tendon

VERSION = 1
Link = Annotated[SoftLink | RigidLink, Field(discriminator='type')]
Named = TypeVar('Named', bound=Description)


def _plausible_gravity(gravity: Vector3) -> Vector3:
    if math.hypot(*gravity) > 100.0:
        raise refusal(
            'the value is not plausible',
            'at most 100 m/s2',
            f'{math.hypot(*gravity):g}',
            'gravity is a vector in m/s2 in the world frame: [0, 0, -9.81]',
        )
    return gravity


def _unique_names(items: tuple[Named, ...]) -> tuple[Named, ...]:
    refusals = Refusals('names')
    seen: dict[str, int] = {}
    for i, item in enumerate(items):
        first = seen.setdefault(item.name, i)
        if first != i:
            refusals.add(
                (i, 'name'),
                item.name,
                'the name is taken',
                'a name of its own for every item',
                f'{item.name!r}, the name of item {first} too',
                'rename one of them',
            )
    refusals.raise_any()
    return items


UNIQUE = AfterValidator(_unique_names)


class Base(Description):
    """Pose of the first section in the world; its x axis is the tangent of the robot there."""

    position: Position = key('m', 'origin of the base in the world', default=(0.0, 0.0, 0.0))
    orientation_xyzw: Quaternion = key(
        '',
        'unit quaternion that turns base coordinates into world ones',
        default=(0.0, 0.0, 0.0, 1.0),
    )


class Robot(Description):
    """A validated robot file; attribute names are the keys of the file."""

    version: Integer = key('', f'version of this format, {VERSION}')
    name: Name = key('', 'name of the robot: its ROS namespace and the prefix of its frames')
    base: Base = key('', 'where the robot is clamped', default=Base())
    gravity: Annotated[Vector3, AfterValidator(_plausible_gravity)] = key(
        'm/s2', 'gravity in the world frame', default=(0.0, 0.0, -9.81)
    )
    links: Annotated[tuple[Link, ...], count(1, 1000), UNIQUE] = key(
        '', 'the links, parents before children; the tip of the last one is the tip of the robot'
    )
    loops: Annotated[tuple[Loop, ...], UNIQUE] = key('', 'joints that close loops of links', default=())
    tendons: Annotated[tuple[AnyTendon, ...], UNIQUE] = key('', 'the tendons', default=())
    disk_guides: Annotated[tuple[DiskGuides, ...], UNIQUE] = key(
        '', 'disks that guide tendons outside the body', default=()
    )
    chambers: Annotated[tuple[Chamber, ...], UNIQUE] = key('', 'the fluid chambers', default=())
    drives: Annotated[tuple[Drive, ...], UNIQUE] = key('', 'the drives of joints', default=())
    masses: Annotated[tuple[PointMass, ...], UNIQUE] = key('', 'masses fixed to links', default=())
    loads: Annotated[tuple[Load, ...], UNIQUE] = key('', 'loads that always act', default=())
    contacts: Annotated[tuple[Contact, ...], UNIQUE] = key('', 'obstacles in the world', default=())
    markers: Annotated[tuple[Marker, ...], UNIQUE] = key('', 'the markers', default=())

    @field_validator('version')
    @classmethod
    def _known_version(cls, version: int) -> int:
        if version != VERSION:
            raise refusal(
                'this version of the format is not known',
                f'{VERSION}',
                f'{version}',
                f'write version: {VERSION}, or use a continua that knows version {version}',
            )
        return version

    @model_validator(mode='after')
    def _parts_fit_together(self) -> 'Robot':
        refusals = Refusals('Robot')
        check_structure(self, refusals)
        check_placement(self, refusals)
        refusals.raise_any()
        return self

    @property
    def dof(self) -> int:
        """Generalised coordinates of all joints and strain fields, before drives and loops take any."""
        return sum(link.dof for link in self.links)

    @property
    def tendon_names(self) -> tuple[str, ...]:
        """Names of the tendons, in file order: the order of every tension vector."""
        return tuple(tendon.name for tendon in self.tendons)

    @property
    def chamber_names(self) -> tuple[str, ...]:
        """Names of the chambers, in file order: the order of every pressure vector."""
        return tuple(chamber.name for chamber in self.chambers)

    @property
    def marker_names(self) -> tuple[str, ...]:
        """Names of the markers, in file order."""
        return tuple(marker.name for marker in self.markers)

    def link(self, name: str) -> SoftLink | RigidLink:
        """The link of that name; ValueError with near matches if there is none."""
        return _find('link', self.links, name)

    def tendon(self, name: str) -> Tendon | PointsTendon:
        """The tendon of that name; ValueError with near matches if there is none."""
        return _find('tendon', self.tendons, name)

    def chamber(self, name: str) -> Chamber:
        """The chamber of that name; ValueError with near matches if there is none."""
        return _find('chamber', self.chambers, name)

    def marker(self, name: str) -> Marker:
        """The marker of that name; ValueError with near matches if there is none."""
        return _find('marker', self.markers, name)

    def guides(self, name: str) -> DiskGuides:
        """The disk guides of that name; ValueError with near matches if there are none."""
        return _find('disk guides', self.disk_guides, name)

    @property
    def hash(self) -> str:
        """16 hex digits that change with the content of the description and not with its formatting."""
        content = json.dumps(self._plain(), sort_keys=True, separators=(',', ':'))
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def to_yaml(self) -> str:
        """The text of a robot file with every key written out; reading it gives an equal robot."""
        return yaml.safe_dump(self._plain(), sort_keys=False, default_flow_style=None, width=110)

    def _plain(self) -> dict[str, Any]:
        return self.model_dump(mode='json')


def _find(kind: str, items: tuple[Named, ...], name: str) -> Named:
    for item in items:
        if item.name == name:
            return item
    known = [item.name for item in items]
    raise ValueError(f'robot file: no {kind} is named {name!r}; {did_you_mean(name, known)}')
