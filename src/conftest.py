"""For the tests of all packages: nodes of a test meet neither a robot on this machine nor other tests."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

# A test that starts a node should ask for a domain of its own: Bench of continua_node.testing, or the
# fixture below. One that does not ends up here, off the default domain, where the user's robot may run.
os.environ['ROS_DOMAIN_ID'] = '40'
os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'

# The same examples in every run: a test that fails, fails again.
settings.register_profile('continua', derandomize=True, deadline=None, database=None)
settings.load_profile('continua')


@pytest.fixture
def ros_domain_id(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A ROS domain that no other test on this machine uses, as ROS_DOMAIN_ID during the test."""
    from continua_node.testing import free_domain

    domain, lock = free_domain()
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    yield domain
    os.close(lock)
