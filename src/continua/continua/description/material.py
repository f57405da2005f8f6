"""The material of a soft link: linear elastic with Kelvin-Voigt damping."""

from typing import Annotated

from .fields import Description, Number, key, plausible

Density = Annotated[
    Number, plausible(10.0, 25e3, 'kg/m3', 'densities are in kg/m3: 1.07 g/cm3 is 1070, silicone about 1100')
]
Modulus = Annotated[
    Number,
    plausible(1e3, 1e12, 'Pa', 'moduli are in Pa: 1 MPa is 1.0e6, 2 GPa is 2.0e9; silicone about 1e5'),
]
PoissonRatio = Annotated[
    Number, plausible(-1.0 + 1e-6, 0.5, '', 'isotropic solids have -1 < ratio <= 0.5; rubber about 0.5')
]
Viscosity = Annotated[Number, plausible(0.0, 1e9, 'Pa s', 'damping is in Pa s: 10 kPa s is 1.0e4')]


class Material(Description):
    """Density, elasticity and damping, equal everywhere in the link."""

    density: Density = key('kg/m3', 'mass per volume')
    youngs_modulus: Modulus = key('Pa', "Young's modulus E")
    poisson_ratio: PoissonRatio = key('', "Poisson's ratio, in (-1, 0.5]")
    damping: Viscosity = key(
        'Pa s', 'shear viscosity (Kelvin-Voigt); bending and stretching are damped 2 (1 + nu) times as much'
    )

    @property
    def shear_modulus(self) -> float:
        """G = E / (2 (1 + nu)) in Pa."""
        return self.youngs_modulus / (2.0 * (1.0 + self.poisson_ratio))
