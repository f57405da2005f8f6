"""The robots of the papers, from the robot files of the checkout."""

from pathlib import Path

from continua.description import PolynomialBasis, Robot, StrainOrders, load_robot
from continua.doctor.checkout import checkout

__all__ = ['paper_robot', 'paper_root', 'with_degree']


def paper_root() -> Path:
    """The checkout. Raises ValueError where there is none."""
    root = checkout()
    if root is None:
        raise ValueError(
            'expected a checkout, whose config/ the experiments use; got none; '
            'run `continua repro` from a clone of the repository'
        )
    return root


def paper_robot(name: str) -> Robot:
    """A robot of config/robots. Raises ValueError where there is no checkout."""
    return load_robot(paper_root() / f'config/robots/{name}.yaml')


def with_degree(robot: Robot, degree: int) -> Robot:
    """The robot with Legendre polynomials to that degree for all six strains of its one link."""
    order = StrainOrders(**dict.fromkeys(StrainOrders.model_fields, degree))
    basis = PolynomialBasis(type='legendre', order=order)
    return robot.model_copy(
        update={'links': tuple(link.model_copy(update={'strain_basis': basis}) for link in robot.links)}
    )
