"""Screw elasticity, viscosity and inertia density of a soft link's sections (soft_synergies eq 36)."""

import numpy as np

from continua.description import SoftLink

__all__ = ['elasticity', 'inertia_density', 'viscosity']


def elasticity(link: SoftLink, X: np.ndarray) -> np.ndarray:
    """Lambda (m, 6, 6): stress resultants N m, N per strain, at arc lengths X (m,) m; linear elasticity."""
    factor = np.array(link.stiffness_factor)
    return link.material.youngs_modulus * _on_diagonal(factor * _stiffness_shape(link, X))


def viscosity(link: SoftLink, X: np.ndarray) -> np.ndarray:
    """Upsilon (m, 6, 6): stress resultants per rate of strain, Kelvin-Voigt.

    The material's damping is the shear viscosity (SoRoSim's convention), so bending and stretching are damped
    2 (1 + nu) times as much: Trouton's ratio 3 for an incompressible material.
    """
    factor = 2.0 * (1.0 + link.material.poisson_ratio)
    return factor * link.material.damping * _on_diagonal(_stiffness_shape(link, X))


def inertia_density(link: SoftLink, X: np.ndarray) -> np.ndarray:
    """Mbar (m, 6, 6): kg m and kg/m."""
    area = link.area(X)
    shape = np.concatenate([link.second_moments(X), np.stack([area] * 3, axis=-1)], axis=-1)
    return link.material.density * _on_diagonal(shape)


def _stiffness_shape(link: SoftLink, X: np.ndarray) -> np.ndarray:
    """Stiffness over Young's modulus (m, 6): the section's geometry, and G/E for torsion and shear."""
    area, moments = link.area(X), link.second_moments(X)
    shear = 0.5 / (1.0 + link.material.poisson_ratio)
    columns = [
        shear * link.torsion_constant(X),
        moments[:, 1],
        moments[:, 2],
        area,
        shear * area,
        shear * area,
    ]
    return np.stack(columns, axis=-1)


def _on_diagonal(values: np.ndarray) -> np.ndarray:
    """(m, 6) to (m, 6, 6)."""
    return values[:, :, None] * np.eye(6)
