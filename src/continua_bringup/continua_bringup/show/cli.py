"""`continua show`. Light imports only: every `continua` command loads this."""

from typing import Annotated

import typer

from continua.cli.inputs import Effort, Gravity, Load, Position, Pressure, Switch, Tension
from continua.cli.robot_file import RobotArgument

HOST = '127.0.0.1'


def show(
    robot: RobotArgument,
    tension: Tension = '',
    pressure: Pressure = '',
    effort: Effort = '',
    position: Position = '',
    load: Load = None,
    gravity: Gravity = Switch.on,
    port: Annotated[int, typer.Option(min=0, max=65535, help='Of the page; 0 takes any free one.')] = 8080,
    no_browser: Annotated[bool, typer.Option('--no-browser', help='Only serve the page.')] = False,
) -> None:
    """Serve a page that shows how a robot rests under inputs set by sliders, until Ctrl-C."""
    import webbrowser

    from continua.cli.inputs import input_vector, target_vector, with_loads
    from continua.cli.robot_file import find_robot
    from continua_bringup.console.server import open_server
    from continua_bringup.show.page import Page

    description = with_loads(find_robot(robot), load)
    u = input_vector(description, tension, pressure, effort)
    target = target_vector(description, position)
    server = open_server(HOST, port, f'continua: {description.name}')
    page = Page(server, description, u, target, gravity is Switch.on)
    address = f'http://{HOST}:{server.get_port()}'
    typer.echo(f'{description.name}: {address} (Ctrl-C ends)')
    if not no_browser:
        webbrowser.open(address)
    try:
        page.serve()
    except KeyboardInterrupt:
        pass
    finally:
        server.stop()
