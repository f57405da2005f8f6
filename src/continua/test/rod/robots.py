"""Random robots of every kind for hypothesis, and their text."""

import json

from hypothesis import strategies as st

from continua.repro.random_robots import DOF, Data, random_robot

__all__ = ['DOF', 'random_robot', 'robots', 'text_of']


def robots(most_links: int = 6) -> st.SearchStrategy[Data]:
    """Data of valid robot files, as a strategy of hypothesis."""
    return st.randoms(use_true_random=False).map(lambda random: random_robot(random, most_links))


def text_of(robot: Data) -> str:
    """The text of a robot file; JSON is YAML but for the numbers that are none."""
    return json.dumps(robot).replace('NaN', '.nan').replace('Infinity', '.inf')
