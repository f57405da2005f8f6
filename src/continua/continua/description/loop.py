"""Joints that close loops of a linkage."""

from .attachment import Attachment
from .fields import Description, Name, key
from .joint import LoopJoint


class Loop(Description):
    """A joint between two places of the linkage: their frames coincide up to its motion."""

    name: Name = key('', 'name, unique among the loops')
    link: Name = key('', 'name of the link on which the loop ends')
    attach: Attachment = key('', 'joint frame on `link`', default=Attachment())
    to: Name | None = key('', 'name of the other link; null for the base', default=None)
    to_attach: Attachment = key('', 'joint frame on `to`', default=Attachment())
    joint: LoopJoint = key('', 'the motion that is left free')
