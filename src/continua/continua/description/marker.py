"""Markers: points fixed to a section of a link that a camera or motion capture sees."""

from typing import Literal

from .fields import ArcLength, Description, Name, Offset, key


class Marker(Description):
    """A point at `offset` from the centre line in the section at `arc_length`."""

    name: Name = key('', 'name, unique among the markers; messages address the marker by it')
    link: Name = key('', 'name of the link that carries it')
    arc_length: ArcLength = key('m', 'arc length of its section')
    offset: Offset = key('m', '[y, z] from the centre line; markers may stand off the skin')
    role: Literal['tracked', 'held_out'] = key(
        '', 'tracked: estimators use it; held_out: it only measures their error', default='tracked'
    )
