"""The report is one file with all figures inside, also of a run in which much is missing."""

import json
import re
from html.parser import HTMLParser

import pytest

from continua.io.report import write_results


class Page(HTMLParser):
    """Text, image sources and references of a page; raises where tags do not match."""

    def __init__(self, path):
        super().__init__()
        self.open, self.text, self.images, self.links = [], [], [], []
        self.feed(path.read_text(encoding='utf-8'))
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == 'img':
            self.images.append(attributes['src'])
        elif tag != 'meta':
            self.open.append(tag)
        self.links += [attributes[key] for key in ('href', 'src') if key in attributes and tag != 'img']

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def test_results_of_a_whole_run(tmp_path, write_run):
    summary = write_results(write_run(tmp_path / 'bag'), tmp_path)
    assert json.loads((tmp_path / 'summary.json').read_text()) == json.loads(summary.to_json())
    page = Page(tmp_path / 'report.html')
    assert len(page.images) == 5
    assert all(re.match('data:image/png;base64,iVBOR', source) for source in page.images)
    assert page.links == []
    for text in ('tip, estimate - truth', 'middle (held out), estimate - measured', '/arm/tendon/state'):
        assert text in page.text
    assert page.text[page.text.index('tip, estimate - truth') + 1] == '5.00'


def test_results_of_several_observers(tmp_path, write_run):
    estimates = ('/arm/lsq/estimate/shape', '/arm/sdre/estimate/shape')
    write_results(write_run(tmp_path / 'bag', estimates=estimates), tmp_path)
    page = Page(tmp_path / 'report.html')
    assert len(page.images) == 5
    for name in ('lsq', 'sdre'):
        assert page.text[page.text.index(f'tip, {name} - truth') + 1] == '5.00'
        assert f'middle (held out), {name} - measured' in page.text


@pytest.mark.parametrize(
    ('missing', 'images'),
    [
        (['/arm/estimate/shape'], 4),
        (['/arm/truth/shape'], 4),
        (['/arm/truth/shape', '/arm/estimate/shape'], 2),
        (['/arm/truth/shape', '/arm/estimate/shape', '/arm/markers'], 2),
        (['/arm/tendon/state', '/arm/markers'], 4),
    ],
)
def test_results_of_a_run_with_less(tmp_path, write_run, missing, images):
    summary = write_results(write_run(tmp_path / 'bag', leave_out=missing), tmp_path)
    page = Page(tmp_path / 'report.html')
    assert len(page.images) == images
    assert all(problem in page.text for problem in summary.problems)
