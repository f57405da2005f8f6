"""Strain and stress fields of a soft link.

The wrench that the material transmits across a section follows from the constitutive law of soft_synergies,
section II: elasticity times the strain from the reference shape plus viscosity times its rate. It is what the
body carries: the pull of tendons and the pressure of chambers, which run beside it through the section, are
not in it. It is as good at a point as the strains are; equilibrium holds on the mean over the strain basis.
"""

from dataclasses import dataclass

import numpy as np

from continua.rod.rod import Rod
from continua.rod.section import elasticity, viscosity

__all__ = ['SkinStress', 'section_wrench', 'skin_stress', 'strain_fields']


@dataclass(frozen=True)
class SkinStress:
    """Stresses in Pa at m sections and k points each: axial (m, k) along the tangent, tension positive; shear
    (m, k, 2) on the section, along y and z."""

    axial: np.ndarray
    shear: np.ndarray

    @property
    def von_mises(self) -> np.ndarray:
        """Equivalent stress (m, k) Pa, with no stress across the rod."""
        return np.sqrt(self.axial**2 + 3.0 * np.sum(self.shear**2, axis=-1))


def strain_fields(
    rod: Rod, q: np.ndarray, link: str, X: np.ndarray, qd: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Strain from the reference shape and its rate (1/s), each (m, 6), at X (m,) m of a soft link."""
    # Strains are affine in the coordinates, so the differences are exact.
    reference = rod.shape(np.zeros(rod.dof), X, link).strain
    rate = np.zeros_like(reference) if qd is None else rod.shape(qd, X, link).strain - reference
    return rod.shape(q, X, link).strain - reference, rate


def section_wrench(
    rod: Rod, q: np.ndarray, link: str, X: np.ndarray, qd: np.ndarray | None = None
) -> np.ndarray:
    """Wrench (m, 6) [moment N m, force N] in the section's axes that the material on the tip's side exerts on
    that on the base's side, by the constitutive law, at arc lengths X (m,) m of a soft link."""
    strain, rate = strain_fields(rod, q, link, X, qd)
    body = rod.robot.link(link)
    elastic = np.einsum('mij,mj->mi', elasticity(body, X), strain)
    return elastic + np.einsum('mij,mj->mi', viscosity(body, X), rate)


def skin_stress(
    rod: Rod, q: np.ndarray, link: str, X: np.ndarray, offset: np.ndarray, qd: np.ndarray | None = None
) -> SkinStress:
    """Stresses at points `offset` (m, k, 2) m, [y, z] in the sections at X (m,) m of a soft link.

    Sections stay plane (no warping): axial stresses hold for every section, shear of torsion for a circular
    one, and shear of a transverse force is its mean over the section. The link's stiffness factors count as
    factors of the moduli.
    """
    strain, rate = strain_fields(rod, q, link, X, qd)
    body = rod.robot.link(link)
    shear = 0.5 / (1.0 + body.material.poisson_ratio)
    elastic = body.material.youngs_modulus * np.array(body.stiffness_factor) * strain
    total = elastic + body.material.damping / shear * rate
    k, force = total[:, None, :3], total[:, None, 3:]
    y, z = offset[..., 0], offset[..., 1]
    axial = force[..., 0] + k[..., 1] * z - k[..., 2] * y
    across = np.stack([force[..., 1] - k[..., 0] * z, force[..., 2] + k[..., 0] * y], axis=-1)
    return SkinStress(axial, shear * across)
