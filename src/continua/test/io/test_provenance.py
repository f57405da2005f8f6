"""The version names the commit of the tree the package runs from."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from continua.io import provenance


def test_in_a_git_checkout_it_is_the_commit():
    tree = Path(provenance.__file__).resolve().parent
    head = subprocess.run(
        ['git', '-C', tree, 'rev-parse', 'HEAD'], capture_output=True, text=True, check=False
    )
    if head.returncode == 0:
        assert re.fullmatch(rf'git {head.stdout.strip()}(-dirty)?', provenance.software_version())
    else:
        assert provenance.software_version().startswith('continua ')


def test_an_untracked_copy_inside_a_repository_names_the_package_version(tmp_path):
    subprocess.run(['git', 'init', '--quiet', tmp_path], check=True)
    shutil.copy(provenance.__file__, tmp_path / 'provenance.py')
    command = 'import provenance; print(provenance.software_version())'
    result = subprocess.run(
        [sys.executable, '-c', command], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert re.fullmatch(r'continua \d+\.\d+\.\d+', result.stdout.strip())
