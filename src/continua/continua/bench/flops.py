"""How many floating-point operations the kernels execute: counted, not estimated.

`python -m continua.bench.flops` reads a robot file from its input and runs the kernels' own source, without
numba, on numbers that count each addition, subtraction, multiplication and division, those with zeros
included. Roots and trigonometric functions are not counted. It prints JSON.
"""

import json
import math
import os
import subprocess
import sys

import numpy as np

__all__ = ['count_flops']


def count_flops(robot: str) -> dict[str, int]:
    """Operations of one `residual` and one `residual_tangent` of a robot, given as a file's text."""
    output = subprocess.run(
        [sys.executable, '-m', 'continua.bench.flops'],
        input=robot,
        env={**os.environ, 'NUMBA_DISABLE_JIT': '1'},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return json.loads(output.stdout)


class Counted:
    """A float that counts what is done with it."""

    __slots__ = ('value',)
    operations = 0

    def __init__(self, value: float):
        self.value = value

    def __float__(self) -> float:
        return self.value

    def __neg__(self) -> 'Counted':
        return Counted(-self.value)

    def __abs__(self) -> 'Counted':
        return Counted(abs(self.value))

    def __eq__(self, other: object) -> bool:
        return self.value == float(other)

    def __lt__(self, other: float) -> bool:
        return self.value < float(other)

    def __le__(self, other: float) -> bool:
        return self.value <= float(other)

    def __gt__(self, other: float) -> bool:
        return self.value > float(other)

    def __ge__(self, other: float) -> bool:
        return self.value >= float(other)


def _operator(function):
    def apply(self: Counted, other: float) -> Counted:
        Counted.operations += 1
        return Counted(function(self.value, float(other)))

    return apply


for _name, _function in {
    'add': lambda a, b: a + b,
    'sub': lambda a, b: a - b,
    'mul': lambda a, b: a * b,
    'truediv': lambda a, b: a / b,
}.items():
    setattr(Counted, f'__{_name}__', _operator(_function))
    setattr(Counted, f'__r{_name}__', _operator(lambda a, b, function=_function: function(b, a)))


def _function(name: str):
    """What NumPy calls for a function of an array of such numbers."""

    def apply(self: Counted) -> Counted:
        return Counted(getattr(math, name)(self.value))

    return apply


for _name in ('sqrt', 'sin', 'cos', 'tan', 'exp', 'tanh'):
    setattr(Counted, _name, _function(_name))


def _counting(item: object) -> object:
    """The same arrays and tuples of arrays with counting numbers in place of floats."""
    if isinstance(item, tuple):
        return type(item)(*(_counting(field) for field in item))
    if isinstance(item, np.ndarray) and item.dtype == float:
        return np.frompyfunc(Counted, 1, 1)(item)
    return item


def _main() -> None:
    from continua.bench.arms import pull
    from continua.description import parse_robot
    from continua.rod import Rod
    from continua.rod.residual import residual, residual_tangent

    rod = Rod(parse_robot(sys.stdin.read()))
    n = rod.dof
    size = n + rod.n_constraints
    q, r, out, reaction = (
        _counting(x) for x in (0.1 * rod.scale, np.zeros(size), np.zeros((size, size)), np.zeros(size - n))
    )
    acting = _counting(rod.conditions(pull(rod)))
    model, counts = (_counting(rod._model),), {}
    Counted.operations = 0
    residual(model, q, q, q, reaction, acting, r)
    counts['residual'] = Counted.operations
    Counted.operations = 0
    residual_tangent(model, 1.0, 1.0, 1.0, acting, out)
    counts['residual_tangent'] = Counted.operations
    print(json.dumps(counts))


if __name__ == '__main__':
    _main()
