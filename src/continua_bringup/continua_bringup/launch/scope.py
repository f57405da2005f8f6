"""What is visible at one place of a launch file, and the values of attributes there."""

import os
import re
from dataclasses import dataclass

from . import substitutions
from .errors import LaunchError
from .xml_reader import Element

_NAMESPACE = re.compile(r'/|(/[A-Za-z_][A-Za-z0-9_]*)+')


@dataclass
class Scope:
    """Arguments and variables, environment, namespace and set parameters: what a scoped group restores."""

    arguments: dict[str, str]
    environment: dict[str, str]
    namespace: str | None = None
    overrides: tuple[tuple[str, str], ...] = ()

    def copy(self) -> 'Scope':
        return Scope(dict(self.arguments), dict(self.environment), self.namespace, self.overrides)

    def expand(self, text: str, element: Element) -> str:
        """`text` of `element` with its substitutions replaced; LaunchError with the element's place."""
        return self.evaluate(substitutions.parse(text), element)

    def evaluate(self, template: substitutions.Template, element: Element) -> str:
        """As `expand`, for text that is parsed already."""
        directory = os.path.dirname(os.path.abspath(element.file))
        context = substitutions.Context(self.arguments, self.environment, directory)
        try:
            return substitutions.evaluate(template, context)
        except LaunchError as error:
            raise error.at(element.file, element.line) from error

    def attribute(self, element: Element, name: str, default: str = '') -> str:
        """The expanded value of an attribute, or `default` where the element does not have it."""
        return self.expand(element.attributes[name], element) if name in element.attributes else default

    def applies(self, element: Element) -> bool:
        """Whether the element's `if` or `unless` lets it happen here."""
        for name in ('if', 'unless'):
            if name in element.attributes:
                try:
                    return substitutions.condition(self.attribute(element, name)) == (name == 'if')
                except LaunchError as error:
                    raise error.at(element.file, element.line) from error
        return True


def join_namespaces(base: str | None, namespace: str | None) -> str | None:
    """`namespace` below `base`, made absolute, as ROS 2 composes them: an absolute one stands alone.

    None adds nothing. LaunchError (without a place) where the result is no namespace.
    """
    if namespace is None:
        return base
    if base and not namespace.startswith('/'):
        namespace = f'{base.rstrip("/")}/{namespace}'
    joined = namespace.rstrip('/')
    joined = joined if joined.startswith('/') else f'/{joined}'
    if not _NAMESPACE.fullmatch(joined):
        raise LaunchError(f'{joined!r} is not a valid namespace (letters, digits and _ between slashes)')
    return joined
