"""Length of files, marks of unfinished work, paths of one machine."""

import pytest

from continua_tests.rules import text


@pytest.mark.parametrize('rule', [text.short, text.finished, text.portable])
def test_rule_holds(rule, holds):
    holds(rule)


def test_what_breaks_a_rule_is_found(made_up):
    mark = 'to' + 'do'
    repository = made_up(
        {
            'src/a/a/long.py': 'x = 1\n' * text.LONGEST,
            'src/a/a/short.py': f'# autodoc is fine\n# {mark.upper()}: more\n# {mark}\n',
            'launch/a.launch.xml': '<launch>\n<arg default="/home/me/arm.yaml"/>\n</launch>\n',
            'config/a.yaml': 'port: /dev/ttyACM0\nfile: "${x}/home/arm"\nother: /tmp/x\n',
            'src/a/test/test_a.py': "assert expand('~') == '/home/me'\n",
            'Makefile': f'all: ## {mark}\n',
            'docs/picture.png': f'\0{mark}',
        }
    )
    assert [str(v.file.name) for v in text.short(repository)] == ['long.py']
    assert [(v.file.name, v.line) for v in text.finished(repository)] == [
        ('short.py', 2),
        ('short.py', 3),
        ('Makefile', 1),
    ]
    assert [(v.file.name, v.line) for v in text.portable(repository)] == [('a.launch.xml', 2)]
