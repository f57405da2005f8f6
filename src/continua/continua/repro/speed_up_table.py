"""Speed-up at an error of 5 % of a body length in five scenarios (soft_synergies table IV)."""

from collections.abc import Iterator

from continua.reduction import Truncation
from continua.repro.experiment import Experiment, Number, Setting, at_least
from continua.repro.hyper_redundant import hyper_redundant
from continua.repro.paper_solvers import speed_up_by_fsolve, speed_up_by_ode45
from continua.repro.platform import legged_platform
from continua.repro.single_motion import single_dynamic
from continua.repro.six_arm import six_dynamic
from continua.repro.study import Study
from continua.repro.three_arm import three_static

__all__ = ['SPEED_UP_TABLE']

_ERROR = 0.05
# What fewer quadrature points may add to it.
_OF_POINTS = 0.005
# Scenario, study, numbers of modes to try, the paper's speed-up, and the time in s that ode45 is given;
# None for statics.
_ROWS = (
    ('IV-A, dynamics', single_dynamic, range(1, 5), 5.2, 0.01),
    ('IV-B, statics', three_static, range(1, 7), 6.8, None),
    ('IV-C, dynamics', six_dynamic, range(6, 21), 2.7, 0.1),
    ('V-A, statics', hyper_redundant, range(2, 17), 12.6, None),
    ('V-B, dynamics', legged_platform, range(10, 26), 16.8, 0.02),
)


def _speed_up_table(setting: Setting) -> Iterator[Number]:
    for scenario, make, counts, paper, duration in _ROWS:
        setting.say(scenario)
        study = make(setting)
        tried = counts[::2] if setting.quick else counts
        modes = study.truncation(tried).fewest(_ERROR * study.length)
        yield Number(f'{scenario}: modes', modes)
        if duration is None:
            solver, like_paper = 'fsolve', speed_up_by_fsolve(study, modes)
        else:
            solver = 'ode45'
            like_paper = speed_up_by_ode45(study, modes, 0.1 * duration if setting.quick else duration)
        yield at_least(f'{scenario}: speed-up by {solver}', like_paper, paper, paper=paper)
        found = _fastest(setting, study, modes)
        yield Number(f'{scenario}: mean error in body lengths', float(found.mean[0] / study.length))
        yield at_least(f'{scenario}: speed-up by our solvers', found.speed_up[0], paper, paper=paper)
        yield Number(f'{scenario}: full model', 1e3 * found.full_seconds, 'ms')
        yield Number(f'{scenario}: reduced model', 1e3 * float(found.seconds[0]), 'ms')


def _fastest(setting: Setting, study: Study, modes: int) -> Truncation:
    """With all points, or with a rule found on other cases if it keeps the error within the limit."""
    repeats = 1 if setting.quick else 5
    found = [study.truncation([modes], repeats=repeats)]
    # the search takes longer than the rest of a quick run
    rules = None if setting.quick else study.rules(modes, _OF_POINTS * study.length)
    if rules is not None:
        found.append(study.truncation([modes], rules, repeats))
    good = [each for each in found if each.mean[0] <= _ERROR * study.length]
    return max(good, key=lambda each: each.speed_up[0])


SPEED_UP_TABLE = Experiment(
    'pod-speedup-table',
    'Speed-up with an error of 5 % of a body length in five scenarios',
    'soft synergies, table IV',
    '5.2, 6.8, 2.7, 12.6, 16.8',
    "at least the paper's",
    _speed_up_table,
)
