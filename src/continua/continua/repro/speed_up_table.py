"""Speed-up at an error of 5 % of a body length in five scenarios (soft_synergies table IV)."""

from collections.abc import Iterator

from continua.repro.experiment import Experiment, Number, Setting, at_least
from continua.repro.hyper_redundant import hyper_redundant
from continua.repro.platform import legged_platform
from continua.repro.single_motion import single_dynamic
from continua.repro.six_arm import six_dynamic
from continua.repro.three_arm import three_static

__all__ = ['SPEED_UP_TABLE']

_ERROR = 0.05
# What fewer quadrature points may add to it.
_OF_POINTS = 0.005
_ROWS = (
    ('IV-A, dynamics', single_dynamic, range(1, 5), 5.2),
    ('IV-B, statics', three_static, range(1, 7), 6.8),
    ('IV-C, dynamics', six_dynamic, range(6, 21), 2.7),
    ('V-A, statics', hyper_redundant, range(2, 17), 12.6),
    ('V-B, dynamics', legged_platform, range(10, 26), 16.8),
)


def _speed_up_table(setting: Setting) -> Iterator[Number]:
    for scenario, make, counts, paper in _ROWS:
        setting.say(scenario)
        study = make(setting)
        modes = study.truncation(counts).fewest(_ERROR * study.length)
        rules = study.rules(modes, _OF_POINTS * study.length)
        repeats = 1 if setting.quick else 5
        whole = study.truncation([modes], repeats=repeats)
        found = whole if rules is None else study.truncation([modes], rules, repeats)
        yield at_least(f'{scenario}: speed-up', found.speed_up[0], paper, paper=paper)
        yield Number(f"{scenario}: speed-up with the full model's points", float(whole.speed_up[0]))
        yield Number(f'{scenario}: modes', modes)
        yield Number(f'{scenario}: mean error in body lengths', float(found.mean[0] / study.length))
        yield Number(f'{scenario}: full model', 1e3 * found.full_seconds, 'ms')
        yield Number(f'{scenario}: reduced model', 1e3 * float(found.seconds[0]), 'ms')


SPEED_UP_TABLE = Experiment(
    'pod-speedup-table',
    'Speed-up with an error of 5 % of a body length in five scenarios',
    'soft synergies, table IV',
    '5.2, 6.8, 2.7, 12.6, 16.8',
    "at least the paper's",
    _speed_up_table,
)
