"""What all links share: a name, and the joint by which they hang on another link or on the base."""

from .attachment import Attachment
from .fields import Description, Name, key
from .joint import FixedJoint, Joint


class LinkBase(Description):
    """A link, moved by its joint relative to its parent."""

    name: Name = key('', 'name, unique among the links')
    parent: Name | None = key('', 'name of a link above it in the file; null for the base', default=None)
    attach: Attachment = key('', 'where on the parent the joint sits', default=Attachment())
    joint: Joint = key('', 'joint between parent and this link', default=FixedJoint(type='fixed'))
