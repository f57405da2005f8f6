"""SO(3) and SE(3): exponentials, adjoints, tangent maps and their derivatives, as numba kernels.

Twists are angular first, `[w, v]`; poses are a rotation matrix `R` and a position `p`. A twist on the right
of a pose, `g' = g hat(x)`, is in the moving (body) frame; this is the only trivialisation used.
"""
