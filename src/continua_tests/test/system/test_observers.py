"""All observers beside each other, on the simulated arm and on the real driver: one bag tells them apart."""

import pytest

from continua.io.summary import summarise
from continua_tests.experiment import NAMESPACE, Experiment

OBSERVERS = {'lsq': 'shape_estimator', 'sdre': 'sdre_observer', 'fused': 'fused_observer'}


@pytest.mark.parametrize('robot', ['sim', 'emulated'])
def test_one_bag_compares_all_observers(tmp_path, record_property, robot):
    with Experiment(tmp_path, robot, 'fused/estimate/shape', observer='all') as experiment:
        experiment.wait_for_motion()
        experiment.wait_for_estimates(6.0)
        experiment.wait_for_others()
        experiment.service.stop()
        assert experiment.service.exit_code == 0
    summary = summarise(experiment.bag)
    assert summary.problems == []
    assert summary.estimates.keys() == OBSERVERS.keys()
    for name, estimate in summary.estimates.items():
        # the median: on a busy machine readings pause, and an observer begins anew
        assert estimate.tip_error_mm.median < 3.0, name
        record_property(f'{name}_tip_error_median_mm', round(estimate.tip_error_mm.median, 3))
        latency = summary.topics[f'{NAMESPACE}/{name}/estimate/state'].latency_ms
        assert latency.median > 0.0
        record_property(f'{name}_latency_p99_ms', round(latency.p99, 3))
    assert summary.dropped_messages == 0
