"""Robots of the tests, as data: rigid bars in a vertical plane, soft links of one material."""

from robots import text_of

from continua.description import Robot, parse_robot

GRAVITY = 9.81
LENGTH, RADIUS, MODULUS, DENSITY, POISSON = 0.4, 0.008, 2.0e6, 1100.0, 0.3


def robot(*links, **keys) -> Robot:
    """A robot file of these links and keys, parsed."""
    return parse_robot(text_of({'version': 1, 'name': 'robot', 'links': list(links)} | keys))


def bar(name, length, mass, parent=None, **joint):
    """A slender uniform bar on a revolute joint about y: its angle is positive when x turns towards -z."""
    across = mass * length**2 / 12.0
    body = {'type': 'lumped', 'mass': mass, 'center_of_mass': [length / 2.0, 0.0, 0.0]}
    return {
        'name': name,
        'type': 'rigid',
        'parent': parent,
        'length': length,
        'joint': {'type': 'revolute', 'axis': [0.0, 1.0, 0.0]} | joint,
        'body': body | {'inertia': [0.0, across, across, 0.0, 0.0, 0.0]},
    }


def soft(name='beam', length=LENGTH, section=None, damping=0.0, basis='legendre', **keys):
    """A soft link; keys that name a strain are its order or number of elements, others are the file's."""
    strains = ('torsion', 'bending_y', 'bending_z', 'elongation', 'shear_y', 'shear_z')
    sizes = {strain: keys.pop(strain) for strain in strains if strain in keys}
    polynomial = basis in ('legendre', 'monomial', 'chebyshev')
    link = {
        'name': name,
        'type': 'soft',
        'length': length,
        'section': section or {'shape': 'circular', 'radius': RADIUS},
        'material': {
            'density': DENSITY,
            'youngs_modulus': MODULUS,
            'poisson_ratio': POISSON,
            'damping': damping,
        },
    }
    if sizes:
        link['strain_basis'] = {'type': basis, 'order' if polynomial else 'elements': sizes}
    return link | keys
