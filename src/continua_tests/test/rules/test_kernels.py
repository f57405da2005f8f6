"""Which kernels Python may call."""

from continua_tests.rules import kernels


def test_rule_holds(holds):
    holds(kernels.inner_calls)


def test_what_breaks_it_is_found(made_up):
    repository = made_up(
        {
            'src/continua/package.xml': '',
            'src/continua/continua/a.py': '@inner\ndef f():\n    pass\n\n@njit\ndef g():\n    f()\n\ng()\n',
            'src/continua/test/test_a.py': 'from continua.a import f\n\ndef test_f():\n    f()\n',
            'src/continua/test/test_b.py': 'def f():\n    pass\n\nf()\n',
        }
    )
    assert [(v.file.name, v.line) for v in kernels.inner_calls(repository)] == [('test_a.py', 4)]
