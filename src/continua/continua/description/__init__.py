"""Robot files: YAML -> validated, immutable objects. Every key is in docs/robot_file.md."""

from .actuators import Chamber, ChamberLimits, DiskGuides, Tendon, TendonLimits
from .errors import Problem, RobotFileError, did_you_mean
from .link import SoftLink, StrainBasis, StrainOrders
from .load import load_robot, parse_robot
from .marker import Marker
from .material import Material
from .path import HelicalPath, LinearPath, PointsPath
from .robot import Base, Robot
from .section import CircularSection

__all__ = [
    'Base',
    'Chamber',
    'ChamberLimits',
    'CircularSection',
    'DiskGuides',
    'HelicalPath',
    'LinearPath',
    'Marker',
    'Material',
    'PointsPath',
    'Problem',
    'Robot',
    'RobotFileError',
    'SoftLink',
    'StrainBasis',
    'StrainOrders',
    'Tendon',
    'TendonLimits',
    'did_you_mean',
    'load_robot',
    'parse_robot',
]
