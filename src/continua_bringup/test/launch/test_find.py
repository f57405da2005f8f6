import os

import pytest

from continua_bringup.launch import find
from continua_bringup.launch.errors import LaunchError


def test_a_path_is_taken_as_it_is(files, monkeypatch):
    files.write('', 'here.launch.xml')
    (files.folder / 'linked.launch.xml').symlink_to(files.folder / 'here.launch.xml')
    monkeypatch.chdir(files.folder)
    assert find.launch_file('here.launch.xml') == str(files.folder / 'here.launch.xml')
    assert find.launch_file('linked.launch.xml') == str(files.folder / 'linked.launch.xml')


@pytest.mark.parametrize('name', ['launch_probe/nested', 'launch_probe/nested.launch.xml'])
def test_installed_files_are_found_by_name(probe, name):
    path = probe / 'launch' / 'layers' / 'nested.launch.xml'
    path.parent.mkdir(parents=True)
    path.write_text('<launch/>')
    assert find.launch_file(name) == str(path)


def test_own_launch_files_need_no_package():
    path = find.launch_file('tendon_shape_estimation')
    assert path == find.launch_file('continua_bringup/tendon_shape_estimation.launch.xml')
    assert os.path.basename(path) == 'tendon_shape_estimation.launch.xml'


@pytest.mark.parametrize('name', ['tendon_shape_estimatoin', 'no_such_package/tendon_shape_estimation'])
def test_a_near_match_is_offered(name):
    with pytest.raises(LaunchError, match='neither a file nor installed .*tendon_shape_estimation'):
        find.launch_file(name)
