"""A soft arm in soromox, an independent GVS code on JAX, discretised as the rod engine does.

Legendre polynomials, stations (Gauss points and the two ends) and the fourth-order Magnus steps between them
are the same in both, so the equations of motion are equal up to the 1e-8 of soromox in its Gauss points.
"""

from typing import TYPE_CHECKING

import numpy as np

from continua.description import Robot

if TYPE_CHECKING:
    from soromox.systems.gvs import GVS

__all__ = ['soromox_arm']


def soromox_arm(robot: Robot, points: int) -> 'GVS':
    """The model of a robot with one circular tapered link and linear tendons along all of it.

    points: Gauss points of the link. Inputs are the tensions in N. JAX computes with 64 bits from then on.
    Raises ModuleNotFoundError where soromox is not installed.
    """
    import jax

    jax.config.update('jax_platforms', 'cpu')
    jax.config.update('jax_enable_x64', True)
    from soromox.actuation import ThreadlikeActuator, ThreadlikeRouting
    from soromox.systems.components import JointSpec, LinearProfile, LinkSpec
    from soromox.systems.gvs import GVS, GVSSegment, StrainBasisSpec

    link = robot.links[0]
    material = link.material
    order = link.strain_basis.order.in_strain_order()
    ends = np.array([0.0, link.length])
    offset = np.array([tendon.path.offset(ends) for tendon in robot.tendons])
    slope = (offset[:, 1] - offset[:, 0]) / link.length
    segment = GVSSegment(
        link=LinkSpec.circular(
            length=link.length,
            radius=LinearProfile(*link.section.radius),
            density=material.density,
            reference_strain=list(link.reference_strain),
            young_modulus=material.youngs_modulus,
            # not the Poisson ratio: soromox refuses 0.5
            shear_modulus=0.5 * material.youngs_modulus / (1.0 + material.poisson_ratio),
            material_damping_coefficient=material.damping,
        ),
        joint=JointSpec.fixed(),
        basis=StrainBasisSpec('legendre', [int(k is not None) for k in order], [k or 0 for k in order]),
        num_gauss_points=points,
    )
    routing = ThreadlikeRouting.linear(
        intercept=np.insert(offset[:, 0], 0, 0.0, axis=1),
        slope=np.insert(slope, 0, 0.0, axis=1),
        start_segment_index=(0,) * len(offset),
        end_segment_index=(0,) * len(offset),
    )
    x, y, z, w = robot.base.orientation_xyzw
    return GVS.from_segments(
        [segment],
        gravity=np.array(robot.gravity),
        base_pose=np.array([*robot.base.position, w, x, y, z]),
        actuators=ThreadlikeActuator.tendons(routing),
    )
