"""Strain and stress fields of a soft link.

The wrench that the material transmits across a section follows from the constitutive law of soft_synergies,
section II: elasticity times the strain from the reference shape plus viscosity times its rate. It is what the
body carries: the pull of tendons and the pressure of chambers, which run beside it through the section, are
not in it. It is as good at a point as the strains are; equilibrium holds on the mean over the strain basis.
"""

from dataclasses import dataclass

import numpy as np

from continua.description import SoftLink
from continua.rod.rod import Rod

__all__ = ['SkinStress', 'section_stiffness', 'section_wrench', 'skin_stress', 'strain_fields']


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
    reference = rod.shape(np.zeros(rod.dof), X).strain
    rate = np.zeros_like(reference) if qd is None else rod.shape(qd, X).strain - reference
    return rod.shape(q, X).strain - reference, rate


def section_stiffness(link: SoftLink, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Diagonals (m, 6) of the elasticity and viscosity of the sections at X (m,) m, angular first.

    Units N m^2 and N, and the same times s.
    """
    material, area = link.material, link.area(X)
    _, about_y, about_z = np.moveaxis(link.second_moments(X), -1, 0)
    shear = 0.5 / (1.0 + material.poisson_ratio)
    geometry = np.stack(
        [shear * link.torsion_constant(X), about_y, about_z, area, shear * area, shear * area], axis=-1
    )
    viscosity = 2.0 * (1.0 + material.poisson_ratio) * material.damping
    return material.youngs_modulus * geometry, viscosity * geometry


def section_wrench(
    rod: Rod, q: np.ndarray, link: str, X: np.ndarray, qd: np.ndarray | None = None
) -> np.ndarray:
    """Wrench (m, 6) [moment N m, force N] in the section's axes that the material on the tip's side exerts on
    that on the base's side, by the constitutive law, at arc lengths X (m,) m of a soft link."""
    strain, rate = strain_fields(rod, q, link, X, qd)
    elasticity, viscosity = section_stiffness(rod.robot.link(link), X)
    return elasticity * strain + viscosity * rate


def skin_stress(
    rod: Rod, q: np.ndarray, link: str, X: np.ndarray, offset: np.ndarray, qd: np.ndarray | None = None
) -> SkinStress:
    """Stresses at points `offset` (m, k, 2) m, [y, z] in the sections at X (m,) m of a soft link.

    Sections stay plane (no warping): axial stresses hold for every section, shear of torsion for a circular
    one, and shear of a transverse force is its mean over the section.
    """
    strain, rate = strain_fields(rod, q, link, X, qd)
    material = rod.robot.link(link).material
    shear = 0.5 / (1.0 + material.poisson_ratio)
    moduli = material.youngs_modulus, material.damping / shear
    total = moduli[0] * strain + moduli[1] * rate
    k, force = total[:, None, :3], total[:, None, 3:]
    y, z = offset[..., 0], offset[..., 1]
    axial = force[..., 0] + k[..., 1] * z - k[..., 2] * y
    across = np.stack([force[..., 1] - k[..., 0] * z, force[..., 2] + k[..., 0] * y], axis=-1)
    return SkinStress(axial, shear * across)
