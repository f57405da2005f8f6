"""Optional packages: what they are for, and how to get them. They are looked up, never imported."""

from importlib.metadata import PackageNotFoundError, version

from continua.doctor.finding import Check, Finding, ok

__all__ = ['EXTRAS']


def _extra(package: str, purpose: str, file: str) -> Check:
    def look() -> Finding:
        try:
            return ok(version(package))
        except PackageNotFoundError:
            command = f'pip install -r requirements/{file}.txt -c requirements/constraints.txt'
            return ok('not installed, optional', f'for {purpose}: {command}')

    return Check(package, look)


EXTRAS = (
    _extra('torch', 'surrogates and their training', 'learning'),
    _extra('pyrealsense2', 'RealSense cameras', 'realsense'),
    _extra('ray', 'sweeps over many cores or machines', 'cluster'),
)
