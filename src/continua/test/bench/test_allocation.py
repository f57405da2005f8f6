"""The kernels of a simulation take no memory from the heap: no real-time loop waits for an allocator."""

import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from continua.bench.arms import arm
from continua.description import parse_robot
from continua.rod import Integrator, Rod
from continua.rod.residual import residual, residual_tangent
from continua.rod.sdirk import run


@numba.jit(nopython=True)
def residuals(count, model, q, reaction, acting, r):
    for _ in range(count):
        residual(model, q, q, q, reaction, acting, r)


@numba.jit(nopython=True)
def tangents(count, model, acting, out):
    for _ in range(count):
        residual_tangent(model, 1.0, 1.0, 1.0, acting, out)


@numba.jit(nopython=True)
def steps(count, model, stepper, inputs, acting, q, qd):
    for _ in range(count):
        run(model, stepper, 2e-3, 1, inputs, acting, q, qd)


@numba.jit(nopython=True)
def copies(count, q):
    total = 0.0
    for _ in range(count):
        total += q.copy()[0]
    return total


def calls():
    rod = Rod(parse_robot(arm(22, 8)))
    model, q, n = rod._held, 0.1 * rod.scale, rod.dof
    acting = rod.conditions([5.0])
    return {
        'residual': (residuals, model, q, np.zeros(0), acting, np.zeros(n)),
        'residual_tangent': (tangents, model, acting, np.zeros((n, n))),
        'step': (steps, model, Integrator(rod)._stepper, acting.u[None], acting, *np.zeros((2, 1, n))),
        'copy': (copies, q),
    }


def allocations(function, count, arguments):
    before = rtsys.get_allocation_stats()
    function(count, *arguments)
    after = rtsys.get_allocation_stats()
    return after.alloc - before.alloc


@pytest.fixture
def counting():
    _nrt_python.memsys_enable_stats()
    yield
    _nrt_python.memsys_disable_stats()


@pytest.mark.parametrize(
    ('name', 'per_call'), [('residual', 0), ('residual_tangent', 0), ('step', 0), ('copy', 1)]
)
def test_allocations_per_call(counting, name, per_call):
    """What a hundred calls allocate beyond one; `copy` shows that the counter counts."""
    function, *arguments = calls()[name]
    function(1, *arguments)
    more = allocations(function, 101, arguments) - allocations(function, 1, arguments)
    assert more == 100 * per_call
