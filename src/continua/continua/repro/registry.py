"""All experiments, in the order of the papers."""

from continua.description.errors import did_you_mean
from continua.repro.cosserat_against_gvs import AGAINST_GVS
from continua.repro.cosserat_identify import IDENTIFY
from continua.repro.cosserat_linear_gap import LINEAR_GAP
from continua.repro.cosserat_speed import SPEED
from continua.repro.ddpinn_speed import DDPINN_SPEED
from continua.repro.ddpinn_student import DDPINN_STUDENT
from continua.repro.ddpinn_train import DDPINN_TRAIN
from continua.repro.experiment import Experiment
from continua.repro.hyper_redundant import HYPER_REDUNDANT
from continua.repro.identify_tendon import IDENTIFY_TENDON
from continua.repro.platform import LEGGED_PLATFORM
from continua.repro.sdre_convergence import CONVERGENCE
from continua.repro.sdre_friction import FRICTION
from continua.repro.sdre_model_gap import MODEL_GAP
from continua.repro.sdre_one_tendon import ONE_TENDON
from continua.repro.sdre_three_tendon import THREE_TENDON
from continua.repro.shape_lsq import SHAPE_LSQ
from continua.repro.single_arm import EXTRAPOLATION, SINGLE_STATIC
from continua.repro.single_motion import SINGLE_DYNAMIC
from continua.repro.six_arm import SIX_DYNAMIC
from continua.repro.speed_up_table import SPEED_UP_TABLE
from continua.repro.three_arm import THREE_STATIC
from continua.repro.ukf_compliance import UKF_COMPLIANCE

__all__ = ['EXPERIMENTS', 'find_experiment']

EXPERIMENTS: tuple[Experiment, ...] = (
    SINGLE_STATIC,
    SINGLE_DYNAMIC,
    THREE_STATIC,
    EXTRAPOLATION,
    HYPER_REDUNDANT,
    SIX_DYNAMIC,
    LEGGED_PLATFORM,
    SPEED_UP_TABLE,
    SHAPE_LSQ,
    ONE_TENDON,
    MODEL_GAP,
    THREE_TENDON,
    FRICTION,
    CONVERGENCE,
    IDENTIFY_TENDON,
    LINEAR_GAP,
    IDENTIFY,
    SPEED,
    AGAINST_GVS,
    DDPINN_TRAIN,
    DDPINN_STUDENT,
    DDPINN_SPEED,
    UKF_COMPLIANCE,
)


def find_experiment(name: str) -> Experiment:
    """The experiment of that id. Raises ValueError, with near matches, where there is none."""
    known = {experiment.id: experiment for experiment in EXPERIMENTS}
    if name not in known:
        raise ValueError(f'no experiment {name!r}; {did_you_mean(name, known)}')
    return known[name]
