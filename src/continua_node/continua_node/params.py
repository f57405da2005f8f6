"""Parameters, declared once with type, unit, range and description; a wrong or unknown one stops the start.

    PARAMETERS = [
        params.ROBOT_FILE,
        Parameter('rate', 50.0, 'how often a command is published', 'Hz', range=(1.0, 1000.0)),
        Parameter('kind', 'sine', 'what is played', choices=('sine', 'step')),
        Parameter('solver.iterations', 20, 'at most', range=(1, 100)),
    ]
    settings = params.declare(self, PARAMETERS)     # settings.rate, settings.solver_iterations

rclpy silently drops an override that nothing declares, and a YAML file keyed to the wrong node name as a
whole. `declare` refuses the first by name, and the second through `settings_id`, which every node has and
which has no default.

    Parameter('model', 'gvs', 'which equations are solved', choices=('gvs', 'rom'), is_live=True),
    params.on_change(self, PARAMETERS, self._use)       # self._use(settings) raises ValueError to refuse
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor, SetParametersResult
from rclpy.node import Node
from rclpy.parameter import Parameter as RclParameter

from continua.description.errors import did_you_mean

__all__ = ['ROBOT_FILE', 'SETTINGS_ID', 'Parameter', 'Settings', 'declare', 'effective', 'on_change']

_INT64 = (-(2**63), 2**63 - 1)
_WORDS = {bool: 'true or false', int: 'an integer', float: 'a number', str: 'a string'}
# Overrides that belong to rclpy itself.
_OF_RCLPY = ('use_sim_time', 'start_type_description_service')
_QOS_OVERRIDES = 'qos_overrides.'


@dataclass(frozen=True)
class Parameter:
    """One parameter of a node.

    default: bool, int, float, str or a non-empty list of one of them, which also gives the type; or one of
        these four types itself for a parameter that must be set.
    range: lowest and highest value allowed, of each element in a list; an end may be infinite.
    is_live: whether it can be set in the running node, see `on_change`; the others are read-only.
    """

    name: str
    default: Any
    description: str
    unit: str = ''
    range: tuple[float, float] | None = None
    choices: tuple | None = None
    is_live: bool = False

    @property
    def is_mandatory(self) -> bool:
        return isinstance(self.default, type)

    @property
    def is_list(self) -> bool:
        return isinstance(self.default, (list, tuple))

    @property
    def element_type(self) -> type:
        if self.is_mandatory:
            return self.default
        return type(self.default[0] if self.is_list else self.default)

    @property
    def attribute(self) -> str:
        return self.name.replace('.', '_')

    def converted(self, value: Any) -> Any:
        """The value in this parameter's type (an integer becomes a float where one is due), or ValueError."""
        is_list = not isinstance(value, str) and hasattr(value, '__len__')
        if is_list != self.is_list:
            raise ValueError(f'is {value!r}, expected {self._expected()}')
        elements = [self._element(v, value) for v in (value if is_list else [value])]
        return elements if is_list else elements[0]

    def _element(self, element: Any, value: Any) -> Any:
        if self.element_type is float and type(element) is int:
            element = float(element)
        is_right = type(element) is self.element_type and element == element  # NaN differs from itself
        if is_right and self.range is not None:
            is_right = self.range[0] <= element <= self.range[1]
        if is_right and self.choices is not None:
            is_right = element in self.choices
        if not is_right:
            raise ValueError(f'is {value!r}, expected {self._expected()}')
        return element

    def _expected(self) -> str:
        words = (
            f'a list, each element {_WORDS[self.element_type]}' if self.is_list else _WORDS[self.element_type]
        )
        if self.range is not None:
            words += f' from {self.range[0]} to {self.range[1]}'
        if self.unit:
            words += f' {self.unit}'
        if self.choices is not None:
            words = f'one of {", ".join(map(repr, self.choices))}'
        return words

    def descriptor(self) -> ParameterDescriptor:
        """What `ros2 param describe` shows and rclpy enforces."""
        unit = f' [{self.unit}]' if self.unit else ''
        descriptor = ParameterDescriptor(
            name=self.name,
            description=self.description + unit,
            additional_constraints=self._expected(),
            read_only=not self.is_live,
        )
        if self.range is not None and not self.is_list:
            low, high = self.range
            if self.element_type is int:
                low, high = max(low, _INT64[0]), min(high, _INT64[1])
                descriptor.integer_range = [IntegerRange(from_value=int(low), to_value=int(high))]
            else:
                descriptor.floating_point_range = [
                    FloatingPointRange(from_value=float(low), to_value=float(high))
                ]
        return descriptor


SETTINGS_ID = Parameter(
    'settings_id', str, 'name of this set of settings; it shows that the YAML file was read'
)
ROBOT_FILE = Parameter('robot_file', str, 'path of the robot description (YAML)')


class Settings:
    """Values as read-only attributes, dots in names turned into underscores."""

    def __init__(self, values: dict[str, Any]) -> None:
        vars(self).update(values)

    def __getattr__(self, attribute: str) -> Any:
        raise AttributeError(f'no parameter {attribute!r} was declared')

    def __setattr__(self, attribute: str, value: Any) -> None:
        raise AttributeError(f'settings are read-only: {attribute}')


def declare(node: Node, parameters: Sequence[Parameter]) -> Settings:
    """Declare `settings_id` and all parameters, and return their values.

    Raises ValueError where a mandatory one is missing, a value has the wrong type or lies out of range, or an
    override is declared by nobody.
    """
    parameters = [SETTINGS_ID, *parameters]
    for parameter in parameters:
        _declare(node, parameter)
    _refuse_unknown(node)
    return Settings({p.attribute: node.get_parameter(p.name).value for p in parameters})


def on_change(node: Node, parameters: Sequence[Parameter], use: Callable[[Settings], None]) -> None:
    """Call `use` with the values of all parameters as they will be, whenever live ones are set.

    A ValueError of `use` refuses them, and its sentence goes to whoever set them.
    """
    known = {parameter.name: parameter for parameter in parameters}

    def on_set(given: list[RclParameter]) -> SetParametersResult:
        values, ours = effective(node), [each for each in given if each.name in known]
        try:
            for each in ours:
                values[each.name] = _checked(known[each.name], each.value)
            if ours:
                use(Settings({parameter.attribute: values[parameter.name] for parameter in parameters}))
        except ValueError as error:
            return SetParametersResult(successful=False, reason=str(error))
        return SetParametersResult(successful=True)

    node.add_on_set_parameters_callback(on_set)


def effective(node: Node) -> dict[str, Any]:
    """All parameters of the node with their values in force, by name; arrays as lists."""
    values = {name: parameter.value for name, parameter in node.get_parameters_by_prefix('').items()}
    return {
        name: list(value) if hasattr(value, '__len__') and not isinstance(value, str) else value
        for name, value in sorted(values.items())
    }


def _declare(node: Node, parameter: Parameter) -> None:
    overrides = node._parameter_overrides  # rclpy has no public way to see what was given but not declared
    given = overrides[parameter.name].value if parameter.name in overrides else None
    if given in (None, '') and parameter.is_mandatory:
        raise ValueError(
            f"{node.get_fully_qualified_name()}: parameter '{parameter.name}' is not set "
            f'({parameter.description}). '
            f'Expected node {node.get_name()!r} in namespace {node.get_namespace()!r} to find it under '
            f'{_where(node, parameter.name)}; is the file given, and keyed to this node name?'
        )
    value = parameter.default
    if given is not None:
        try:
            value = _checked(parameter, given)
        except ValueError as error:
            raise ValueError(
                f'{node.get_fully_qualified_name()}: {error}; '
                f'correct it where it is set, in YAML under {_where(node, parameter.name)}'
            ) from None
    node.declare_parameter(parameter.name, value, parameter.descriptor(), ignore_override=True)


def _checked(parameter: Parameter, value: Any) -> Any:
    try:
        return parameter.converted(value)
    except ValueError as error:
        raise ValueError(f"parameter '{parameter.name}' {error}") from None


def _where(node: Node, name: str) -> str:
    return f'`/**/{node.get_name()}: ros__parameters: {name}`'


def _refuse_unknown(node: Node) -> None:
    declared = [name for name in effective(node) if name not in _OF_RCLPY]
    unknown = [
        name
        for name in node._parameter_overrides
        if name not in (*declared, *_OF_RCLPY) and not name.startswith(_QOS_OVERRIDES)
    ]
    if not unknown:
        return
    sentences = [f"'{name}' ({did_you_mean(name, sorted(declared))})" for name in sorted(unknown)]
    raise ValueError(f'{node.get_fully_qualified_name()}: no such parameter: {", ".join(sentences)}')
