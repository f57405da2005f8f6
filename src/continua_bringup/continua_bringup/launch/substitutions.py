r"""`$(...)` in attribute values: parsed once per file, evaluated for each scope.

The grammar is that of ROS 2: arguments are separated by exactly one space; an argument with spaces or
parentheses stands in single or double quotes; inside quotes, `$(...)` nests; `\` takes the next character
literally.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

import yaml

from .errors import LaunchError, did_you_mean, listed

MAX_DEPTH = 32
_NAME = re.compile(r'[A-Za-z][A-Za-z0-9_-]*')

# name -> (fewest, most) arguments
ARITY = {
    'var': (1, 1),
    'env': (1, 2),
    'find-pkg-share': (1, 1),
    'dirname': (0, 0),
    'eval': (1, 1),
    'not': (1, 1),
    'and': (2, 2),
    'or': (2, 2),
    'equals': (2, 2),
}


@dataclass(frozen=True)
class Call:
    """One `$(name arguments...)`."""

    name: str
    arguments: 'tuple[Template, ...]'


Template = tuple[str | Call, ...]


@dataclass(frozen=True)
class Context:
    """What substitutions can see: launch arguments, environment and the folder of the launch file."""

    arguments: Mapping[str, str]
    environment: Mapping[str, str]
    directory: str


def parse(text: str) -> Template:
    """Text and calls in order; LaunchError (without a place) on a syntax error or an unknown name."""
    return _Parser(text).parts(stop='', quote='', depth=0)


def has_calls(template: Template) -> bool:
    return any(isinstance(part, Call) for part in template)


def unescape(text: str) -> str:
    r"""Text of an attribute that ROS 2 takes literally but for `\`."""
    return re.sub(r'\\(.)', r'\1', text)


class _Parser:
    def __init__(self, text: str):
        self.text, self.at = text, 0

    def error(self, message: str) -> LaunchError:
        return LaunchError(f'{message} in {self.text!r} (at character {self.at + 1})')

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def expect(self, character: str, message: str) -> None:
        if self.peek() != character:
            raise self.error(message)
        self.at += 1

    def parts(self, stop: str, quote: str, depth: int) -> Template:
        """Text and calls up to a character of `stop` (not consumed) or the end."""
        parts: list[str | Call] = []
        plain = ''
        while character := self.peek():
            if character == '\\':
                plain += self._escaped(stop)
            elif (
                character in '$()' and self.text[self.at - 1 : self.at] == '\\'
            ):  # ROS 2 looks one back, even after `\\`
                plain += character
                self.at += 1
            elif self.text.startswith('$(', self.at):
                parts += [plain] if plain else []
                parts.append(self._call(quote, depth + 1))
                plain = ''
            elif character in stop:
                break
            else:
                plain += character
                self.at += 1
        return (*parts, plain) if plain else tuple(parts)

    def _escaped(self, stop: str) -> str:
        following = self.text[self.at + 1 : self.at + 2]
        if following in ('', '\n') or (following == ' ' and ' ' in stop):
            self.at += 1
            return '\\'
        self.at += 2
        return following

    def _call(self, quote: str, depth: int) -> Call:
        if depth > MAX_DEPTH:
            raise self.error(f'substitutions are nested more than {MAX_DEPTH} deep')
        self.at += 2
        match = _NAME.match(self.text, self.at)
        if not match:
            raise self.error("a substitution's name must follow `$(` (write `\\$(` for the text itself)")
        name = match.group()
        if name not in ARITY:
            raise LaunchError(
                f'unknown substitution $({name}){did_you_mean(name, ARITY)}; supported: {listed(ARITY)}'
            )
        self.at = match.end()
        arguments = []
        while self.peek() == ' ':
            self.at += 1
            arguments.append(self._argument(quote, depth))
        self.expect(
            ')', f'$({name} ...) must end with `)`; an argument with spaces or parentheses needs quotes'
        )
        self._check_arity(name, len(arguments))
        return Call(name, tuple(arguments))

    def _argument(self, quote: str, depth: int) -> Template:
        own_quote = self.peek()
        if not quote and own_quote and own_quote in '\'"':
            self.at += 1
            value = self.parts(stop=own_quote, quote=own_quote, depth=depth)
            self.expect(own_quote, f'missing closing {own_quote}')
            return value
        value = self.parts(stop=' ()' + (quote or '\'"'), quote=quote, depth=depth)
        if not value:
            raise self.error('an argument is missing (arguments are separated by exactly one space)')
        return value

    def _check_arity(self, name: str, count: int) -> None:
        fewest, most = ARITY[name]
        if not fewest <= count <= most:
            expected = str(fewest) if fewest == most else f'{fewest} to {most}'
            hint = ''
            if count > most and name == 'eval':
                hint = '; put the expression into quotes: $(eval \'"$(var robot)" == "sim"\')'
            raise self.error(f'$({name}) takes {expected} argument(s), got {count}{hint}')


def evaluate(template: Template, context: Context) -> str:
    """The text a template stands for; LaunchError (without a place) where it has no value."""
    return ''.join(part if isinstance(part, str) else _call(part, context) for part in template)


def _call(call: Call, context: Context) -> str:
    arguments = [evaluate(argument, context) for argument in call.arguments]
    match call.name:
        case 'var':
            return _variable(arguments[0], context.arguments)
        case 'env':
            return _environment(arguments, context.environment)
        case 'find-pkg-share':
            from .find import package_share

            return package_share(arguments[0])
        case 'dirname':
            return context.directory
        case 'eval':
            from .expression import evaluate as evaluate_expression

            return evaluate_expression(arguments[0])
        case 'equals':
            return _text(_equals(*arguments))
        case 'not':
            return _text(not truth(arguments[0]))
        case 'and':
            return _text(truth(arguments[0]) & truth(arguments[1]))
        case 'or':
            return _text(truth(arguments[0]) | truth(arguments[1]))
    raise AssertionError(f'{call.name} is in ARITY but not here')


def _text(value: bool) -> str:
    return 'true' if value else 'false'


def _variable(name: str, arguments: Mapping[str, str]) -> str:
    if name not in arguments:
        raise LaunchError(
            f'$(var {name}): no argument or variable of this name here{did_you_mean(name, arguments)}; '
            f'defined: {listed(arguments)}'
        )
    return arguments[name]


def _environment(arguments: list[str], environment: Mapping[str, str]) -> str:
    name, *default = arguments
    if name in environment:
        return environment[name]
    if not default:
        raise LaunchError(
            f'$(env {name}): this environment variable is not set; a default would be `$(env {name} DEFAULT)`'
        )
    return default[0]


def truth(text: str) -> bool:
    """A boolean argument, by YAML's words as in ROS 2 (true, false, yes, no, on, off) or 1 and 0."""
    try:
        value = {'1': True, '0': False}.get(text) if text in ('0', '1') else yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        value = None
    if not isinstance(value, bool):
        raise LaunchError(f'expected true or false, got {text!r}')
    return value


def _equals(left: str, right: str) -> bool:
    """Equal as booleans (true, false, 1, 0), else as numbers, else as text: the order ROS 2 tries them in."""
    booleans = {'true': True, '1': True, 'false': False, '0': False}
    if left.lower() in booleans and right.lower() in booleans:
        return booleans[left.lower()] == booleans[right.lower()]
    try:
        return math.isclose(float(left), float(right))
    except ValueError:
        return left == right


def condition(text: str) -> bool:
    """The value of `if` and `unless`, which ROS 2 reads more strictly than booleans elsewhere."""
    word = text.strip().lower()
    if word not in ('true', '1', 'false', '0'):
        raise LaunchError(f'a condition must be true, false, 1 or 0, got {text!r}')
    return word in ('true', '1')
