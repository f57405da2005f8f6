"""A kernel compiled without a way in from Python must not be called from there: it would crash Python."""

import ast
from collections.abc import Iterator

from continua_tests.rules.repository import Repository, Violation

__all__ = ['inner_calls']

_COMPILED = {'inner', 'njit', 'part'}


def inner_calls(repository: Repository) -> Iterator[Violation]:
    """Only kernels call what `continua.jit.inner` decorates."""
    paths = (path for package in repository.packages() for path in package.code() + package.tests())
    trees = {path: ast.parse(path.read_text()) for path in paths}
    inner = {name for tree in trees.values() for name in _inner(tree)}
    for path, tree in trees.items():
        known = _inner(tree) | inner & _imported(tree)
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef) and _decorators(statement) & _COMPILED:
                continue
            for call in ast.walk(statement):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in known:
                    sentence = f'{call.func.id} is inner: make it njit to call it from Python'
                    yield Violation(path, call.lineno, sentence)


def _decorators(function: ast.FunctionDef) -> set[str]:
    return {each.id for each in function.decorator_list if isinstance(each, ast.Name)}


def _inner(tree: ast.Module) -> set[str]:
    functions = (each for each in tree.body if isinstance(each, ast.FunctionDef))
    return {each.name for each in functions if 'inner' in _decorators(each)}


def _imported(tree: ast.Module) -> set[str]:
    imports = (each for each in tree.body if isinstance(each, ast.ImportFrom))
    return {alias.name for each in imports for alias in each.names}
