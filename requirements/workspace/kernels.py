"""Compile the numerical kernels, so that the first node that needs them does not wait a minute."""

from environment import Environment
from stamps import digest
from step import run_step


def compile_kernels(environment: Environment) -> None:
    """Run `continua compile` unless it ran for the same kernels; raises StepFailed if it fails."""
    root = environment.root
    sources = sorted(
        file for file in (root / 'src' / 'continua').rglob('*.py') if b'njit' in file.read_bytes()
    )
    key = digest(environment.key, *sources)
    if environment.stamps.is_current('kernels', key):
        return
    # As a user's shell would: the cache depends on the path from which a module is imported.
    command = ['bash', '-c', 'source ./env.sh && exec continua compile']
    run_step('compile the numerical kernels', command, environment.log('kernels'), cwd=root)
    environment.stamps.set('kernels', key)
