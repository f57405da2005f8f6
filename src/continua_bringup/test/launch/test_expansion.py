"""Arguments, scopes, includes and conditions; the expected values are those of `ros2 launch`."""

import pytest

from continua_bringup.launch.errors import LaunchError
from continua_bringup.launch.expansion import declared_arguments

SHOW = '<node pkg="launch_probe" exec="show"'


def words(description) -> list[list[str]]:
    """The plain arguments of each process."""
    return [list(process.command[1:]) for process in description.processes]


def error(files, body: str, **arguments: str) -> LaunchError:
    with pytest.raises(LaunchError) as caught:
        files.expand(body, **arguments)
    return caught.value


def test_arguments_have_defaults_that_may_use_earlier_ones(files):
    body = (
        f'<arg name="a" default="1"/>\n<arg name="b" default="$(var a)2"/>\n{SHOW} args="$(var a) $(var b)"/>'
    )
    assert words(files.expand(body)) == [['1', '12']]
    assert words(files.expand(body, a='x')) == [['x', 'x2']]
    assert words(files.expand(body, b='y')) == [['1', 'y']]


def test_argument_without_default_must_be_given(files):
    body = '\n<arg name="robot" description="which one"/>'
    failure = error(files, body)
    assert failure.line == 3
    assert "argument 'robot' has no default and is not given (as robot:=VALUE" in failure.message
    assert files.expand(body, robot='sim').arguments == {'robot': 'sim'}


def test_choices(files):
    body = '<arg name="robot" default="sim"><choice value="sim"/><choice value="emulated"/></arg>'
    assert files.expand(body, robot='emulated').arguments['robot'] == 'emulated'
    failure = error(files, body, robot='emulate')
    assert "cannot be 'emulate' (did you mean 'emulated'?); choices: sim, emulated" in failure.message


def test_unknown_argument_is_refused(files):
    failure = error(files, '<arg name="robot" default="sim"/>\n<arg name="bag" default=""/>', robt='sim')
    assert "no argument 'robt' (did you mean 'robot'?); it has: bag, robot" in failure.message


def test_argument_of_an_included_file_can_be_given(files):
    files.write('<arg name="depth" default="1"/>', 'sub.launch.xml')
    assert files.expand('<include file="$(dirname)/sub.launch.xml"/>', depth='2').arguments['depth'] == '2'


def test_conditions(files):
    body = '\n'.join(
        f'{SHOW} args="{number}" {condition}/>'
        for number, condition in enumerate(
            ['if="true"', 'if="0"', 'unless="True"', 'unless="$(not 1)"', 'if="$(eval \'1 == 2\')"']
        )
    )
    assert words(files.expand(body)) == [['0'], ['3']]
    assert error(files, f'\n{SHOW} if="maybe"/>').line == 3


def test_a_branch_not_taken_is_not_evaluated(files):
    body = f'<group if="false"><node pkg="no_such" exec="x"/><include file="/no/such.xml"/></group>{SHOW}/>'
    assert len(files.expand(body).processes) == 1


def test_a_group_restores_its_scope(files, monkeypatch):
    monkeypatch.setenv('PROBE', 'outside')
    body = f"""
        <let name="x" value="1"/>
        <group>
          <let name="x" value="2"/> <set_env name="PROBE" value="in"/> <push_ros_namespace namespace="a"/>
          <set_parameter name="p" value="1"/>
          {SHOW} args="$(var x) $(env PROBE)"/>
          <group scoped="false"><unset_env name="PROBE"/><push_ros_namespace namespace="b"/></group>
          {SHOW} args="$(env PROBE none)"/>
        </group>
        {SHOW} args="$(var x) $(env PROBE)"/>"""
    description = files.expand(body)
    assert words(description) == [['2', 'in'], ['none'], ['1', 'outside']]
    inside, unscoped, after = description.processes
    assert [process.node.namespace for process in description.processes] == ['/a', '/a/b', None]
    assert (inside.environment['PROBE'], after.environment['PROBE']) == ('in', 'outside')
    assert 'PROBE' not in unscoped.environment
    assert inside.node.overrides == (('p', '1'),) and after.node.overrides == ()


def test_an_include_shares_its_scope(files):
    files.write(
        '<arg name="passed"/><arg name="own" default="d"/><let name="inner" value="i"/>'
        f'{SHOW} args="$(var passed) $(var outer)"/>',
        'sub.launch.xml',
    )
    body = f"""<let name="outer" value="o"/>
        <include file="$(dirname)/sub.launch.xml"><arg name="passed" value="$(var outer)p"/></include>
        {SHOW} args="$(var passed) $(var own) $(var inner)"/>"""
    assert words(files.expand(body)) == [['op', 'o'], ['op', 'd', 'i']]


def test_an_argument_set_outside_wins_over_the_default_inside(files):
    files.write('<arg name="x" default="inside"/>', 'sub.launch.xml')
    body = '<let name="x" value="outside"/><include file="$(dirname)/sub.launch.xml"/>'
    assert files.expand(body).arguments['x'] == 'outside'


def test_an_include_must_pass_what_has_no_default(files):
    path = files.write('<arg name="x"/>', 'sub.launch.xml')
    failure = error(files, '<let name="x" value="outside"/><include file="$(dirname)/sub.launch.xml"/>')
    assert failure.file == path and "argument 'x' has no default and is not given" in failure.message


def test_dirname_is_the_folder_of_the_file_it_stands_in(files):
    (files.folder / 'layers').mkdir()
    files.write(f'{SHOW} args="$(dirname)"/>', 'layers/sub.launch.xml')
    body = f'<include file="$(dirname)/layers/sub.launch.xml"/>{SHOW} args="$(dirname)"/>'
    assert words(files.expand(body)) == [[f'{files.folder}/layers'], [str(files.folder)]]


@pytest.mark.parametrize(
    ('include', 'message'),
    [
        ('<include file="$(dirname)/none.launch.xml"/>', r'cannot read .*none\.launch\.xml: No such file'),
        ('<include file="sub.launch.xml"/>', r'is relative: begin with \$\(dirname\)/'),
        ('<include file="$(dirname)/sub.launch.py"/>', 'only XML launch files'),
        (
            '<include file="$(dirname)/sub.launch.xml"><arg name="dept" value="1"/></include>',
            r"has no argument 'dept' \(did you mean 'depth'\?\)",
        ),
        ('<include file="$(dirname)/test.launch.xml"/>', 'does .* include itself'),
    ],
)
def test_include_errors_name_the_including_line(files, include, message):
    files.write('<arg name="depth" default="1"/>', 'sub.launch.xml')
    failure = error(files, f'\n{include}')
    assert (failure.file, failure.line) == (str(files.folder / 'test.launch.xml'), 3)
    with pytest.raises(LaunchError, match=message):
        raise failure


def test_error_in_an_included_file_names_that_file(files):
    path = files.write('\n\n<node/>', 'sub.launch.xml')
    failure = error(files, '<include file="$(dirname)/sub.launch.xml"/>')
    assert (failure.file, failure.line) == (path, 4)


@pytest.mark.parametrize(
    ('body', 'message'),
    [
        (
            '<node pkg="launch_prob" exec="show"/>',
            "'launch_prob' is not installed.*did you mean 'launch_probe'",
        ),
        ('<node pkg="launch_probe" exec="sho"/>', "no executable 'sho'.*did you mean 'show'.*it has: .*fail"),
        ('<node pkg="launch_probe" exec="not_executable"/>', "no executable 'not_executable'"),
        ('<node pkg="launch_probe" exec=""/>', "no executable ''"),
        ('<executable cmd="no_such_program -x"/>', "'no_such_program' is not on the PATH"),
        ('<executable cmd=""/>', 'is empty'),
        (f'{SHOW} args=" "/>', "'args' is empty"),
        (f'{SHOW} args="\'open"/>', 'cannot split'),
        (f'{SHOW} name="1a"/>', 'not a valid node name'),
        (f'{SHOW} namespace="a//b"/>', 'not a valid namespace'),
        (f'{SHOW} output="file"/>', 'supported: screen, log, both'),
        (f'{SHOW} respawn="maybe"/>', 'expected true or false'),
        (f'{SHOW} on_exit="restart"/>', "on_exit 'restart' is not supported; supported: shutdown"),
        (f'{SHOW} respawn_delay="-1"/>', 'zero or more'),
        (f'{SHOW} respawn_delay="inf"/>', 'zero or more'),
        (f'{SHOW}><param from="/no/such.yaml"/></node>', 'does not exist'),
        (f'{SHOW}><param name="a"/></node>', 'needs either'),
        (f'{SHOW}><param name="a" from="b"/></node>', 'needs either'),
        (f'{SHOW}><param from="b" type="str"/></node>', 'needs either'),
        ('<group scoped="maybe"/>', 'scoped must be true or false'),
        ('<set_parameter name="a" value="[1]"/>', 'use <param> for lists'),
    ],
)
def test_errors_name_the_line(files, body, message):
    failure = error(files, f'\n\n{body}')
    assert failure.line == 4
    with pytest.raises(LaunchError, match=message):
        raise failure


def test_namespaces_compose(files):
    body = '\n'.join(
        f'<group><push_ros_namespace namespace="{pushed}"/>{SHOW} {namespace}/></group>'
        for pushed, namespace in [
            ('a', ''),
            ('/a/', 'namespace="b"'),
            ('a', 'namespace="/b"'),
            ('/', 'namespace="b/c"'),
            ('a', 'namespace=""'),
        ]
    )
    assert [process.node.namespace for process in files.expand(body).processes] == [
        '/a',
        '/a/b',
        '/b',
        '/b/c',
        '/a',
    ]


def test_words_of_a_command(files):
    body = f"""<let name="v" value=" p q "/>
        {SHOW} args="a  'b c' --x=$(var v)y $(var v) d$(var v)$(env NOT_SET '') e"/>
        <executable cmd="sh -c 'exit 0' $(var v)" name="shell"/>"""
    first, shell = files.expand(body).processes
    assert first.command[1:] == ('a', 'b c', '--x= p q y', ' p q ', 'd p q ', 'e')
    assert shell.command[1:] == ('-c', 'exit 0', ' p q ')
    assert (first.label, shell.label) == ('show-1', 'shell-2')


def test_declared_arguments_are_listed_as_far_as_possible(files):
    files.write('<arg name="inner" default="$(var outer)"/>', 'sub.launch.xml')
    path = files.write(
        '<arg name="outer" default="1" description="what"/><include file="$(dirname)/sub.launch.xml"/>'
        '<node pkg="no_such" exec="x"/>'
    )
    arguments, stopped_by = declared_arguments(path, {})
    assert [(item.name, item.default, item.description) for item in arguments] == [
        ('outer', '1', 'what'),
        ('inner', '$(var outer)', ''),
    ]
    assert "'no_such' is not installed" in str(stopped_by)
