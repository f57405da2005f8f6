"""What may stand where: every refusal names file, line, and what is supported."""

import pytest

from continua_bringup.launch.errors import LaunchError


@pytest.mark.parametrize(
    ('body', 'line', 'message'),
    [
        (
            '<nod/>',
            2,
            r"<nod> is not supported in <launch> \(did you mean 'node'\?\); supported: arg, let, node",
        ),
        ('\n<timer period="1"/>', 3, '<timer> is not supported in <launch>'),
        ('<push_ros_namespace namespace="a"/>', 2, 'not supported in <launch>'),
        ('<group>\n<push_ros_namespace/>\n</group>', 3, "needs the attribute 'namespace'"),
        ('<node exec="a"/>', 2, "<node> needs the attribute 'pkg'"),
        (
            '<node pkg="a" exec="b" nmae="c"/>',
            2,
            r"no attribute 'nmae' \(did you mean 'name'\?\); supported: pkg",
        ),
        ('<node pkg="a" exec="b">\n<parm name="c" value="d"/>\n</node>', 3, "did you mean 'param'"),
        ('<node pkg="a" exec="b">\n<param name="c">\n<param/></param></node>', 4, 'supported: none'),
        ('<let name="a" value="b" if="true"/>', 2, "no attribute 'if'"),
        ('<node pkg="a" exec="b" if="true" unless="true"/>', 2, 'both `if` and `unless`'),
        ('<include file="f">\n<arg name="a" default="b"/></include>', 3, "no attribute 'default'"),
        ('<arg name="a" default="$(foo)"/>', 2, r"attribute 'default': unknown substitution \$\(foo\)"),
        ('<group if="false">\n<let name="a" value="$(var"/></group>', 3, "attribute 'value'"),
        ('<arg name="$(var x)"/>', 2, 'must be plain text'),
        ('<node pkg="a" exec="b" respawn_delay="$(var x)"/>', 2, 'must be plain text'),
    ],
)
def test_refusals(files, body, line, message):
    path = files.write(body)
    with pytest.raises(LaunchError, match=message) as caught:
        files.expand(body)
    assert (caught.value.file, caught.value.line) == (path, line)
    assert str(caught.value).startswith(f'{path}:{line}: ')


def test_root_must_be_launch(tmp_path):
    from continua_bringup.launch.expansion import expand

    path = tmp_path / 'f.launch.xml'
    path.write_text('<robot/>')
    with pytest.raises(LaunchError, match='root element must be <launch>, got <robot>'):
        expand(str(path), {})
