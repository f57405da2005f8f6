"""Strain bases of soft links: which family of functions spans each strain, and how many of them."""

from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field

from .errors import refusal
from .fields import Description, Integer, key, plausible

Order = Annotated[Integer, plausible(0, 20, '', 'the order is the degree of the highest polynomial')]
Elements = Annotated[Integer, plausible(1, 100, '', 'the number of equal elements along the link')]


class StrainOrders(Description):
    """Polynomial order of each strain field; null forbids that strain."""

    torsion: Order | None = key('', 'order of the twist kx', default=None)
    bending_y: Order | None = key('', 'order of the curvature ky', default=None)
    bending_z: Order | None = key('', 'order of the curvature kz', default=None)
    elongation: Order | None = key('', 'order of the stretch lx', default=None)
    shear_y: Order | None = key('', 'order of the shear ly', default=None)
    shear_z: Order | None = key('', 'order of the shear lz', default=None)

    def in_strain_order(self) -> tuple[int | None, ...]:
        """The orders in the order of the strain vector [kx, ky, kz, lx, ly, lz]."""
        return (self.torsion, self.bending_y, self.bending_z, self.elongation, self.shear_y, self.shear_z)


class StrainElements(Description):
    """Number of equal elements of each strain field; null forbids that strain."""

    torsion: Elements | None = key('', 'elements of the twist kx', default=None)
    bending_y: Elements | None = key('', 'elements of the curvature ky', default=None)
    bending_z: Elements | None = key('', 'elements of the curvature kz', default=None)
    elongation: Elements | None = key('', 'elements of the stretch lx', default=None)
    shear_y: Elements | None = key('', 'elements of the shear ly', default=None)
    shear_z: Elements | None = key('', 'elements of the shear lz', default=None)

    def in_strain_order(self) -> tuple[int | None, ...]:
        """The numbers in the order of the strain vector [kx, ky, kz, lx, ly, lz]."""
        return (self.torsion, self.bending_y, self.bending_z, self.elongation, self.shear_y, self.shear_z)


def _some_strain(counts: StrainOrders | StrainElements) -> StrainOrders | StrainElements:
    if all(each is None for each in counts.in_strain_order()):
        raise refusal(
            'no strain is allowed, the link could not move',
            'a number for at least one strain',
            'null for all six',
            'give bending_y and bending_z one, say 4',
        )
    return counts


class PolynomialBasis(Description):
    """Polynomials on the whole division: order + 1 coordinates for each strain that is allowed."""

    type: Literal['legendre', 'monomial', 'chebyshev'] = key('', 'family of polynomials, scaled to [0, 1]')
    order: Annotated[StrainOrders, AfterValidator(_some_strain)] = key('', 'order of each of the six strains')

    @property
    def sizes(self) -> tuple[int, ...]:
        """Generalised coordinates of each strain, in the order of the strain vector."""
        return tuple(0 if order is None else order + 1 for order in self.order.in_strain_order())

    @property
    def dof(self) -> int:
        """Generalised coordinates of all strains."""
        return sum(self.sizes)


class ElementBasis(Description):
    """Functions on equal elements of the division.

    With m elements: m constants that jump, m + 1 hat functions, or 2 (m + 1) values and slopes at the nodes.
    """

    type: Literal['piecewise_constant', 'piecewise_linear', 'cubic_hermite'] = key(
        '', 'constant in each element; linear and continuous; cubic with continuous slope'
    )
    elements: Annotated[StrainElements, AfterValidator(_some_strain)] = key(
        '', 'number of elements of each of the six strains'
    )

    _per_node: ClassVar[dict[str, int]] = {'piecewise_linear': 1, 'cubic_hermite': 2}

    @property
    def sizes(self) -> tuple[int, ...]:
        """Generalised coordinates of each strain, in the order of the strain vector."""
        counts = tuple(count or 0 for count in self.elements.in_strain_order())
        if self.type == 'piecewise_constant':
            return counts
        return tuple(self._per_node[self.type] * (count + 1) if count else 0 for count in counts)

    @property
    def dof(self) -> int:
        """Generalised coordinates of all strains."""
        return sum(self.sizes)


StrainBasis = Annotated[PolynomialBasis | ElementBasis, Field(discriminator='type')]
