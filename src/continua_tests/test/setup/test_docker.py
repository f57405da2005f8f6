"""The image and its services keep the rules of good Dockerfiles, and install what the set-up names."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[4]
SERVICES = yaml.safe_load((ROOT / 'docker' / 'compose.yaml').read_text())['services']


@pytest.fixture(scope='module')
def instructions() -> list[tuple[str, str]]:
    """(instruction, arguments) of the Dockerfile; lines that go on are joined."""
    text = re.sub(r'^#.*\n', '', (ROOT / 'docker' / 'Dockerfile').read_text(), flags=re.MULTILINE)
    lines = text.replace('\\\n', ' ').splitlines()
    return [tuple(line.split(maxsplit=1)) for line in lines if line.strip()]


def arguments(instructions, name):
    return [rest for instruction, rest in instructions if instruction == name]


def test_it_stands_on_a_release_and_does_not_run_as_root(instructions):
    first, *others = arguments(instructions, 'FROM')
    assert re.search(r':[\w$]', first) and 'latest' not in first
    assert all(stage.split()[0] in ('base', 'dependencies') for stage in others)
    assert arguments(instructions, 'USER')[-1].split(':')[0] not in ('root', '0')


def test_packages_are_those_that_the_set_up_names(instructions):
    (apt,) = (rest for rest in arguments(instructions, 'RUN') if 'apt-get' in rest)
    assert 'requirements/apt.txt | xargs apt-get install -y --no-install-recommends' in apt
    assert apt.startswith('apt-get update') and apt.endswith('rm -rf /var/lib/apt/lists/*')
    assert not any('pip install' in rest for rest in arguments(instructions, 'RUN'))
    listed = set(re.findall(r'^[^#\n]+', (ROOT / 'requirements' / 'apt.txt').read_text(), re.MULTILINE))
    needed = re.search(r'sudo apt install (.+)', (ROOT / 'docs' / 'setup.md').read_text())[1].split()
    assert {each for each in needed if each != 'python3'} <= listed


def test_code_comes_after_the_layer_of_the_packages(instructions):
    copies = arguments(instructions, 'COPY')
    assert copies == ['requirements/apt.txt requirements/apt.txt', 'requirements requirements', '. .']
    ignored = (ROOT / 'docker' / 'Dockerfile.dockerignore').read_text().split()
    assert {'.venv', 'build', 'install', 'log', 'runs'} <= set(ignored)


def test_pipes_fail_and_nothing_is_fetched_by_hand(instructions):
    names = [name for name, _ in instructions]
    assert 'ADD' not in names
    assert names.index('SHELL') < max(i for i, name in enumerate(names) if name == 'RUN')
    assert not re.search(r'\b(curl|wget|sudo)\b', ' '.join(arguments(instructions, 'RUN')))


def test_services_have_no_more_rights_than_their_devices_need():
    assert set(SERVICES) == {'sim', 'hardware', 'rviz', 'dev'}
    for name, service in SERVICES.items():
        assert not service.get('privileged') and 'cap_add' not in service, name
        assert bool(service.get('devices')) == (name == 'hardware')
    groups = re.findall(r'GROUP="(\w+)"', (ROOT / 'hardware' / 'udev' / '99-continua.rules').read_text())
    assert set(groups) <= set(SERVICES['hardware']['group_add'])
    links = re.findall(r'SYMLINK\+="(\w+)"', (ROOT / 'hardware' / 'udev' / '99-continua.rules').read_text())
    assert set(SERVICES['hardware']['devices']) <= {f'/dev/{link}' for link in links}


def test_what_services_run_and_mount_is_there():
    for service in SERVICES.values():
        command = service['command'].split()
        if command[:2] == ['continua', 'launch']:
            assert (ROOT / 'launch' / f'{command[2]}.launch.xml').is_file()
        mounts = [volume.split(':')[0] for volume in service['volumes']]
        assert all(
            (ROOT / each[3:]).exists() for each in mounts if each.startswith('../') and each != '../runs'
        )
