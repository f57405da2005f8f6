"""Observers on the simulated arm, beside each other in one bag, and each alone on the real driver."""

import pytest

from continua.io.summary import Summary, summarise
from continua_tests.experiment import NAMESPACE, Experiment


@pytest.fixture
def summary_of(tmp_path, record_property):
    """Function that runs the experiment for 6 s of estimates on a topic, and checks how good each is."""

    def run(robot: str, observer: str, topic: str) -> Summary:
        with Experiment(tmp_path, robot, topic, observer=observer) as experiment:
            experiment.wait_for_motion()
            experiment.wait_for_estimates(6.0)
            experiment.wait_for_others()
            experiment.service.stop()
            assert experiment.service.exit_code == 0
        summary = summarise(experiment.bag)
        assert summary.problems == []
        assert summary.dropped_messages == 0
        for name, estimate in summary.estimates.items():
            # the median: on a busy machine readings pause, and an observer begins anew
            assert estimate.tip_error_mm.median < 3.0, name
            record_property(f'{name}_tip_error_median_mm', round(estimate.tip_error_mm.median, 3))
        return summary

    return run


def test_one_bag_compares_all_observers(summary_of):
    summary = summary_of('sim', 'all', 'fused/estimate/shape')
    assert summary.estimates.keys() == {'lsq', 'sdre', 'fused'}
    for name in summary.estimates:
        assert summary.topics[f'{NAMESPACE}/{name}/estimate/state'].latency_ms.median > 0.0


@pytest.mark.parametrize('observer', ['sdre', 'fused'])
def test_observers_work_on_the_real_driver(summary_of, observer):
    assert summary_of('emulated', observer, 'estimate/shape').estimates.keys() == {'estimate'}
