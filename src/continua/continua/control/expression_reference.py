"""References written as arithmetic in the time t, one expression an input: `5*sin(2*pi*t); 0; min(t, 2)`.

An expression is read as a syntax tree and never executed: numbers, t, pi, + - * / ** % and the functions
below.
"""

import ast
import math
import operator
from collections.abc import Callable, Sequence

import numpy as np

from continua.description.errors import did_you_mean

__all__ = ['ExpressionReference']

FUNCTIONS: dict[str, Callable[..., float]] = {
    'sin': math.sin,
    'cos': math.cos,
    'tan': math.tan,
    'exp': math.exp,
    'sqrt': math.sqrt,
    'tanh': math.tanh,
    'abs': abs,
    'min': min,
    'max': max,
    'step': lambda x: 1.0 if x >= 0.0 else 0.0,  # step(t - 1) is 0 before 1 s and 1 from then on
}
_MAX_LENGTH = 300
_CONSTANTS = {'pi': math.pi}
_BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: math.pow,
    ast.Mod: math.fmod,
}
_UNARY = {ast.USub: operator.neg, ast.UAdd: operator.pos}


class ExpressionReference:
    """One expression in t (s) for each of the inputs, separated by semicolons."""

    def __init__(self, text: str, names: Sequence[str]) -> None:
        """names: inputs in the order of the result. Raises ValueError that quotes what it does not know."""
        parts = [part.strip() for part in text.split(';')] if text.strip() else []
        if len(parts) != len(names):
            raise ValueError(
                f'input {text!r}: {len(parts)} expressions, expected {len(names)} separated by semicolons, '
                f'one for each of {", ".join(names) or "no inputs"}'
            )
        self._texts = parts
        self._trees = [_parse(part) for part in parts]
        self(0.0)

    def __call__(self, t: float) -> np.ndarray:
        """Values (n,) at time t. Raises ValueError where an expression has no finite value."""
        return np.array([_value(tree, text, t) for tree, text in zip(self._trees, self._texts, strict=True)])


def _parse(text: str) -> ast.expr:
    if len(text) > _MAX_LENGTH:
        raise ValueError(f'expression of {len(text)} characters, expected at most {_MAX_LENGTH}')
    try:
        tree = ast.parse(text, mode='eval').body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f'{text!r} is not an expression; an example: 2 + sin(2*pi*t)') from None
    _check(tree, text)
    return tree


def _check(node: ast.expr, text: str) -> None:
    """Refuse everything that `_evaluate` does not know."""
    match node:
        case ast.Constant(value=value) if type(value) in (int, float):
            return
        case ast.Name(id=name):
            if name != 't' and name not in _CONSTANTS:
                raise ValueError(
                    f'{name!r} in {text!r} has no value; {did_you_mean(name, ["t", *_CONSTANTS])}'
                )
            return
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            operands = [left, right]
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            operands = [operand]
        case ast.Call(func=ast.Name(id=name), args=operands, keywords=[]):
            if name not in FUNCTIONS:
                raise ValueError(
                    f'no function is called {name!r} in {text!r}; {did_you_mean(name, FUNCTIONS)}'
                )
        case _:
            raise ValueError(
                f'{ast.unparse(node)!r} in {text!r} is not supported; supported: numbers, t, pi, '
                f'+ - * / ** % and {", ".join(FUNCTIONS)}'
            )
    for operand in operands:
        _check(operand, text)


def _value(tree: ast.expr, text: str, t: float) -> float:
    try:
        value = float(_evaluate(tree, t))
    except (ArithmeticError, ValueError, TypeError) as error:
        raise ValueError(f'{text!r} has no value at t = {t:g} s: {error}') from None
    if not math.isfinite(value):
        raise ValueError(f'{text!r} is {value} at t = {t:g} s, expected a finite number')
    return value


def _evaluate(node: ast.expr, t: float) -> float:
    match node:
        case ast.Constant(value=value):
            return float(value)
        case ast.Name(id='t'):
            return t
        case ast.Name(id=name):
            return _CONSTANTS[name]
        case ast.BinOp(left=left, op=op, right=right):
            return _BINARY[type(op)](_evaluate(left, t), _evaluate(right, t))
        case ast.UnaryOp(op=op, operand=operand):
            return _UNARY[type(op)](_evaluate(operand, t))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return FUNCTIONS[name](*(_evaluate(argument, t) for argument in arguments))
    raise TypeError(f'{ast.unparse(node)!r} was not checked')
