"""A bag with known errors, latencies and losses gives those numbers."""

import json

import numpy as np
import pytest
from rosbags.highlevel import AnyReader

from continua.io.bag import BagWriter
from continua.io.bag_reader import repair_bag
from continua.io.summary import summarise


def test_known_errors(tmp_path, write_run):
    """The start, with its ten times larger error, does not count; the truth is interpolated."""
    summary = summarise(write_run(tmp_path / 'bag'))
    assert summary.problems == []
    assert (summary.robot, summary.robot_hash, summary.recorded_at) == (
        'arm',
        'abc',
        '2023-11-14T22:13:20+00:00',
    )
    error = summary.estimates['estimate']
    for statistics in (error.tip_error_mm, error.marker_error_mm['middle'].against_truth_mm):
        assert statistics.count == 150
        assert statistics.mean == pytest.approx(5.0, abs=1e-6)
        assert statistics.median == pytest.approx(5.0, abs=1e-6)
        assert statistics.max == pytest.approx(5.0, abs=1e-6)
    assert error.marker_error_mm['middle'].role == 'held_out'
    assert error.marker_error_mm['tip'].role == 'tracked'


def test_error_against_the_measurement_uses_only_valid_markers(tmp_path, write_run):
    summary = summarise(write_run(tmp_path / 'bag'))
    markers = summary.estimates['estimate'].marker_error_mm
    tip, middle = (markers[name].against_measurement_mm for name in ('tip', 'middle'))
    assert (tip.count, middle.count) == (150, 75)
    for statistics in (tip, middle):
        # 11 stations: the centre line in between is right to some micrometres.
        assert statistics.mean == pytest.approx(np.hypot(3.0, 2.0), abs=1e-3)


def test_traffic(tmp_path, write_run):
    losses = {'lost': json.dumps({'/arm/markers': 3}), 'dropped': json.dumps({'/arm/truth/shape': 2})}
    summary = summarise(write_run(tmp_path / 'bag', custom_data=losses))
    estimate = summary.topics['/arm/estimate/shape']
    assert estimate.type == 'continua_msgs/msg/RodShape'
    assert estimate.count == 200
    assert estimate.rate_hz == pytest.approx(50.0)
    assert estimate.max_gap_ms == pytest.approx(20.0, abs=1e-3)
    assert estimate.latency_ms.median == pytest.approx(20.0, abs=1e-3)
    assert estimate.latency_ms.p99 == pytest.approx(20.0, abs=1e-3)
    assert summary.topics['/arm/tendon/state'].latency_ms.max == pytest.approx(2.0, abs=1e-3)
    assert summary.topics['/arm/markers'].lost == 3
    assert summary.topics['/arm/truth/shape'].dropped == 2
    assert (summary.lost_messages, summary.dropped_messages) == (3, 2)


def test_a_short_burst_has_no_rate(tmp_path, types):
    with BagWriter(tmp_path / 'bag') as bag:
        bag.add_topic(types.topic('/text', 'std_msgs/msg/String'))
        for time in (0, 10**6):
            bag.write('/text', types.cdr('std_msgs/msg/String', data='x'), time, time)
    topic = summarise(tmp_path / 'bag').topics['/text']
    assert (topic.count, topic.rate_hz, topic.latency_ms) == (2, None, None)
    assert topic.max_gap_ms == pytest.approx(1.0)


def test_json_is_complete(tmp_path, write_run):
    content = json.loads(summarise(write_run(tmp_path / 'bag')).to_json())
    assert content['skipped_at_start_s'] == 1.0
    error = content['estimates']['estimate']
    assert error['tip_error_mm']['p95'] == pytest.approx(5.0, abs=1e-6)
    assert error['marker_error_mm']['middle']['against_truth_mm']['mean'] == pytest.approx(5.0, abs=1e-6)


def test_no_estimate_is_said(tmp_path, write_run):
    summary = summarise(write_run(tmp_path / 'bag', leave_out=['/arm/estimate/shape']))
    assert summary.estimates == {}
    assert summary.problems == ['no estimate was recorded; did the estimator run?']


def test_without_truth_the_measured_error_remains(tmp_path, write_run):
    summary = summarise(write_run(tmp_path / 'bag', leave_out=['/arm/truth/shape']))
    error = summary.estimates['estimate']
    assert error.tip_error_mm is None
    measured = error.marker_error_mm['tip'].against_measurement_mm
    assert measured.mean == pytest.approx(np.hypot(3.0, 2.0), abs=1e-3)
    assert len(summary.problems) == 1
    assert 'no true shape was recorded' in summary.problems[0]


def test_killed_bag_has_the_same_numbers_and_says_so(tmp_path, write_run):
    whole = summarise(write_run(tmp_path / 'whole'))
    folder = write_run(tmp_path / 'bag', finish=False)
    killed = summarise(folder)
    assert killed.estimates == whole.estimates
    assert 'recorder was killed' in killed.problems[0]
    repair_bag(folder)
    assert (folder / 'robot.yaml').exists()
    assert summarise(folder) == whole


def test_observers_of_one_robot_are_compared(tmp_path, write_run):
    estimates = ('/arm/lsq/estimate/shape', '/arm/sdre/estimate/shape')
    summary = summarise(write_run(tmp_path / 'bag', estimates=estimates))
    assert summary.problems == []
    alone = summarise(write_run(tmp_path / 'alone')).estimates['estimate']
    assert summary.estimates == {'lsq': alone, 'sdre': alone}


def test_simulated_time_has_no_latency(tmp_path, types, write_run):
    write_run(tmp_path / 'bag')
    with AnyReader([tmp_path / 'bag']) as reader, BagWriter(tmp_path / 'simulated') as bag:
        bag.add_topic(types.topic('/arm/truth/shape', 'continua_msgs/msg/RodShape'))
        bag.add_topic(types.topic('/clock', 'std_msgs/msg/String'))
        for connection, time, raw in reader.messages():
            if connection.topic == '/arm/truth/shape':
                bag.write('/arm/truth/shape', raw, time, time)
        bag.write('/clock', types.cdr('std_msgs/msg/String', data=''), time, time)
    summary = summarise(tmp_path / 'simulated')
    assert summary.topics['/arm/truth/shape'].latency_ms is None
    assert summary.topics['/arm/truth/shape'].rate_hz == pytest.approx(100.0)
    assert any('simulated time' in problem for problem in summary.problems)


def test_empty_bag_and_two_robots_are_refused(tmp_path, types):
    with BagWriter(tmp_path / 'empty'):
        pass
    with pytest.raises(ValueError, match='holds no message'):
        summarise(tmp_path / 'empty')
    with BagWriter(tmp_path / 'two') as bag:
        for name in ('/left/estimate/shape', '/right/estimate/shape'):
            bag.add_topic(types.topic(name, 'std_msgs/msg/String'))
            bag.write(name, types.cdr('std_msgs/msg/String', data=''), 1, 1)
    with pytest.raises(ValueError, match='several robots: /left, /right'):
        summarise(tmp_path / 'two')
