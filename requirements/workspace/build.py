"""Build the ROS packages with colcon, if anything that a build reads has changed."""

from pathlib import Path

from environment import Environment
from stamps import digest
from step import StepFailed, run_step

# Files whose content goes into a build. Python modules, launch and configuration files are linked instead.
BUILT = {'.action', '.c', '.cc', '.cfg', '.cmake', '.cpp', '.em', '.h', '.hpp', '.in', '.msg', '.srv', '.xml'}
BUILT_NAMES = {'CMakeLists.txt', 'setup.py'}
# Folders whose files are linked one by one, so that a new file needs a build and a changed one does not.
LISTED = ('config', 'launch')
IGNORED = {'__pycache__', '.pytest_cache', 'test'}


def build_workspace(environment: Environment) -> None:
    """Run colcon unless the last build was made from the same files.

    Raises StepFailed if the build fails, or if a package of src/ was not built.
    """
    root = environment.root
    key = digest(environment.key, *build_inputs(root))
    packages = sorted(file.parent.name for file in (root / 'src').glob('*/package.xml'))
    built = all((root / 'install' / name).is_dir() for name in packages)
    if built and environment.stamps.is_current('build', key):
        return
    command = [str(environment.python), '-m', 'colcon', 'build', '--symlink-install']
    if not environment.stamps.has('build'):
        # What a failed build noted about the machine may be what made it fail.
        command.append('--cmake-clean-cache')
    command += ['--event-handlers', 'console_direct+', '--cmake-args', *_cmake_arguments(environment)]
    environment.stamps.clear('build')
    what = f'build {len(packages)} packages'
    run_step(what, command, environment.log('build'), env=environment.variables(), cwd=root)
    lost = [name for name in packages if not (root / 'install' / name).is_dir()]
    if lost:
        raise StepFailed(f'colcon left out {", ".join(lost)}\nwhat to do: check the package.xml there')
    environment.stamps.set('build', key)


def build_inputs(root: Path) -> list[str | Path]:
    """Return what a build depends on: files by content, and names of files that are linked one by one."""
    files = [root / 'colcon.meta', root / 'requirements' / 'ros_wheels.cmake']
    files += [file for file in _files(root / 'src') if file.suffix in BUILT or file.name in BUILT_NAMES]
    files += [file for file in _files(root / 'hardware') if file.suffix in BUILT or file.name in BUILT_NAMES]
    linked = [folder for name in LISTED for folder in _files(root / name)]
    for manifest in (root / 'src').glob('*/CMakeLists.txt'):
        linked += _files(manifest.parent)
    return [*sorted(files), *sorted(str(file) for file in linked)]


def _files(folder: Path) -> list[Path]:
    return [
        file
        for file in folder.rglob('*')
        if file.is_file() and not IGNORED & set(file.relative_to(folder).parts[:-1])
    ]


def _cmake_arguments(environment: Environment) -> list[str]:
    arguments = ['-DBUILD_TESTING=OFF']
    if environment.ros is None:
        arguments.append(f'-DCMAKE_PROJECT_INCLUDE={environment.root}/requirements/ros_wheels.cmake')
    if (environment.include / 'Python.h').exists():
        arguments.append(f'-DPython3_INCLUDE_DIR={environment.include}')
    return arguments
