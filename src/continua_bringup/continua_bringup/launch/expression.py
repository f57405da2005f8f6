"""`$(eval ...)`: Python literals, comparisons and boolean operators; read as a syntax tree, never executed.

`ros2 launch` gives the text to Python's eval; whatever is accepted here has the same value there.
"""

import ast
import operator
import warnings

from .errors import LaunchError

MAX_LENGTH = 1000
SUPPORTED = 'literals (numbers, strings, True, False, None, lists), comparisons, `and`, `or`, `not`'

_COMPARISONS = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
_SIGNS = {ast.USub: operator.neg, ast.UAdd: operator.pos}


def evaluate(text: str) -> str:
    """The value of an expression as text (`True`, `3`, ...); LaunchError for anything unsupported."""
    if len(text) > MAX_LENGTH:
        raise LaunchError(f'expression of {len(text)} characters; at most {MAX_LENGTH}')
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')  # for example `1 is 1`, which is refused below anyway
            tree = ast.parse(text.strip(), mode='eval')
        return str(_value(tree.body, text))
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError, OverflowError) as error:
        if isinstance(error, LaunchError):
            raise
        raise LaunchError(f'cannot evaluate {text!r}: {error}; supported: {SUPPORTED}') from error


def _value(node: ast.expr, text: str) -> object:
    match node:
        case ast.Constant(value=value) if value is None or type(value) in (bool, int, float, str):
            return value
        case ast.List(elts=items) | ast.Tuple(elts=items):
            values = [_value(item, text) for item in items]
            return values if isinstance(node, ast.List) else tuple(values)
        case ast.BoolOp(op=op, values=operands):
            value = None
            for operand in operands:  # as Python: the operand that decides, the rest not evaluated
                value = _value(operand, text)
                if bool(value) == isinstance(op, ast.Or):
                    break
            return value
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _value(operand, text)
        case ast.UnaryOp(op=op, operand=ast.Constant(value=value)) if type(op) in _SIGNS and type(value) in (
            int,
            float,
        ):
            return _SIGNS[type(op)](value)
        case ast.Compare(left=left, ops=ops, comparators=rights) if all(
            type(op) in _COMPARISONS for op in ops
        ):
            return _compare(_value(left, text), ops, rights, text)
        case ast.Name(id=name):
            raise LaunchError(f'name {name!r} in {text!r}: names have no value here; put text into quotes')
    raise LaunchError(f'{ast.unparse(node)!r} in {text!r} is not supported; supported: {SUPPORTED}')


def _compare(left: object, ops: list[ast.cmpop], rights: list[ast.expr], text: str) -> bool:
    for op, right_node in zip(ops, rights, strict=True):
        right = _value(right_node, text)
        if not _COMPARISONS[type(op)](left, right):
            return False
        left = right
    return True
