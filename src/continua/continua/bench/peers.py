"""The codes that the rod engine is compared with: whether they are there, and how to get them."""

from importlib.util import find_spec

__all__ = ['HOW_TO_INSTALL', 'is_installed', 'missing_peers']

HOW_TO_INSTALL = 'pip install -r requirements/peers.txt -c requirements/constraints.txt'


def is_installed(module: str) -> bool:
    """Whether a peer can be imported: `elastica` or `soromox`."""
    return find_spec(module) is not None


def missing_peers() -> list[str]:
    """Names of the peers that are not installed."""
    names = {'elastica': 'PyElastica', 'soromox': 'soromox'}
    return [name for module, name in names.items() if not is_installed(module)]
