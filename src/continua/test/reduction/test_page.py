"""The example of docs/reduction.md runs as it stands there."""

import textwrap
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[4]


def test_the_example_of_the_page_makes_a_model_with_the_tip_of_the_full_one(tmp_path, monkeypatch, capsys):
    page = (ROOT / 'docs' / 'reduction.md').read_text()
    begin = page.index('    import numpy')
    code = textwrap.dedent(page[begin : page.index('The same from')])
    (tmp_path / 'config').symlink_to(ROOT / 'config')
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(compile(code, 'docs/reduction.md', 'exec'), names)
    assert 'modes recommended' in capsys.readouterr().out
    small, robot = names['small'], names['robot']
    full = names['Rod'](robot)
    assert small.dof < full.dof
    tips = [rod.shape(rod.statics([3, 0, 2]).q, [0.25]).position[0] for rod in (small, full)]
    assert np.linalg.norm(tips[0] - tips[1]) < 1e-3
    assert (tmp_path / 'three_tendon_arm.rom.npz').exists()
