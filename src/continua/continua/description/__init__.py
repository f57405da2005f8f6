"""Robot files: YAML -> validated, immutable objects. Every key is in docs/robot_file.md."""

from .attachment import Attachment
from .basis import ElementBasis, PolynomialBasis, StrainElements, StrainOrders
from .chamber import Chamber, ChamberLimits
from .division import Division
from .drive import ForceDrive, PositionDrive
from .errors import Problem, RobotFileError, did_you_mean
from .external import DistributedLoad, PlaneContact, PointLoad, PointMass, SphereContact
from .joint import (
    AxisJoint,
    FixedJoint,
    FreeJoint,
    JointLimits,
    PlanarJoint,
    SphericalJoint,
    UniversalJoint,
)
from .load import load_robot, parse_robot
from .loop import Loop
from .marker import Marker
from .material import Material
from .path import HelicalPath, LinearPath, PointsPath
from .reference_strain import StrainTable
from .rigid_link import LumpedBody, RigidLink, SolidBody
from .robot import Base, Robot
from .section import AnnularSection, CircularSection, EllipticalSection, RectangularSection
from .soft_link import SoftLink
from .stiffness_table import StiffnessTable
from .tendon import DiskGuides, PointsTendon, Tendon, TendonLimits

__all__ = [
    'AnnularSection',
    'Attachment',
    'AxisJoint',
    'Base',
    'Chamber',
    'ChamberLimits',
    'CircularSection',
    'DiskGuides',
    'DistributedLoad',
    'Division',
    'ElementBasis',
    'EllipticalSection',
    'FixedJoint',
    'ForceDrive',
    'FreeJoint',
    'HelicalPath',
    'JointLimits',
    'LinearPath',
    'Loop',
    'LumpedBody',
    'Marker',
    'Material',
    'PlanarJoint',
    'PlaneContact',
    'PointLoad',
    'PointMass',
    'PointsPath',
    'PointsTendon',
    'PolynomialBasis',
    'PositionDrive',
    'Problem',
    'RectangularSection',
    'RigidLink',
    'Robot',
    'RobotFileError',
    'SoftLink',
    'SolidBody',
    'SphereContact',
    'SphericalJoint',
    'StiffnessTable',
    'StrainElements',
    'StrainOrders',
    'StrainTable',
    'Tendon',
    'TendonLimits',
    'UniversalJoint',
    'did_you_mean',
    'load_robot',
    'parse_robot',
]
