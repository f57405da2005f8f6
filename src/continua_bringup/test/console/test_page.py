"""The page in headless Chromium, served by the real console process, beside a fake robot."""

import io
import itertools
import shutil

import numpy as np
import pytest
from PIL import Image

from continua_bringup.console import screenshot

pytestmark = pytest.mark.skipif(
    not (shutil.which('chromium') and shutil.which('chromedriver')),
    reason='chromium is not installed: apt-get install chromium chromium-driver',
)


class Page:
    """What an operator sees and clicks."""

    def __init__(self, address: str, profile_folder) -> None:
        self.driver = screenshot.open_browser(profile_folder, width=1100, height=700)
        self.driver.get(address)

    def text(self) -> str:
        return self.driver.execute_script('return document.body.innerText')

    def click(self, label: str) -> None:
        """Click the button or label of that name."""
        all_of = "[...document.querySelectorAll('button, label')]"
        found = self.driver.execute_script(
            f'return {all_of}.filter(e => e.textContent == arguments[0])', label
        )
        assert len(found) == 1, f'{len(found)} elements are called {label!r}'
        found[0].click()

    def slider_input(self, label: str):
        """The number field beside the slider of that label."""
        script = """
            const label = [...document.querySelectorAll('label')].find(e => e.textContent == arguments[0]);
            for (let e = label; e; e = e.parentElement) {
                const field = e.querySelector('input[inputmode=decimal]');
                if (field) return field;
            }
            return null;"""
        return self.driver.execute_script(script, label)

    def type_tension(self, label: str, tension: str) -> None:
        from selenium.webdriver.common.keys import Keys

        self.slider_input(label).send_keys(Keys.CONTROL, 'a')
        self.slider_input(label).send_keys(tension, Keys.ENTER)

    def pixels(self) -> np.ndarray:
        """The 3D view (h, w, 3) as it is on the screen, 0 to 255."""
        canvas = self.driver.find_element('css selector', 'canvas[data-engine]')
        return np.asarray(Image.open(io.BytesIO(canvas.screenshot_as_png)).convert('RGB')).astype(int)

    def count_blue(self) -> int:
        """Pixels in the colour of the estimated arm, in light and in shade; nothing else has it."""
        red, green, blue = np.moveaxis(self.pixels(), -1, 0)
        return int(((blue > red + 50) & (green > red + 10) & (blue > green + 25) & (blue < 245)).sum())


@pytest.fixture(scope='module')
def page(fake_robot, console, tmp_path_factory):
    page = Page(console.address(), tmp_path_factory.mktemp('chromium'))
    yield page
    page.driver.quit()


@pytest.fixture(autouse=True)
def _begin_anew(fake_robot, page, wait_until):
    """The robot moves and the player plays, whatever the test before did."""
    fake_robot.begin_anew()
    wait_until(lambda: 'tendons no fault' in page.text(), 'a page that shows the robot without fault')


def test_the_arm_is_drawn_and_turns_grey_without_estimates(page, fake_robot, wait_until):
    wait_until(lambda: page.count_blue() > 3000, 'the estimated arm in the picture')
    fake_robot.gives_estimate = False
    wait_until(lambda: page.count_blue() < 300, 'a grey arm')
    assert 'estimate silent for' in page.text()
    fake_robot.gives_estimate = True
    wait_until(lambda: page.count_blue() > 3000, 'a blue arm again')


def test_the_drawn_arm_moves(page, fake_robot, wait_until):
    wait_until(lambda: page.count_blue() > 3000, 'the estimated arm in the picture')
    before = page.pixels()
    wait_until(lambda: (np.abs(page.pixels() - before).max(axis=-1) > 60).sum() > 1000, 'another picture')


def test_emergency_stop_in_the_page_stops_the_motion(page, fake_robot, wait_until):
    phase = fake_robot.phase
    wait_until(lambda: fake_robot.phase > phase, 'a moving robot')
    page.click('EMERGENCY STOP')
    wait_until(lambda: 'emergency_stop' in fake_robot.calls, 'the emergency stop at the robot')
    stopped_at = fake_robot.phase
    fake_robot.wait_cycles(25)
    assert fake_robot.phase == stopped_at
    wait_until(lambda: 'EMERGENCY STOP IS LATCHED' in page.text(), 'the latched stop on the page')

    page.click('Manual')
    wait_until(lambda: 'the emergency stop is latched; reset it first' in page.text(), 'the refusal')
    assert fake_robot.commands == []

    page.click('Reset')
    wait_until(lambda: 'EMERGENCY STOP IS LATCHED' not in page.text(), 'the reset on the page')
    page.click('Enable')
    wait_until(lambda: fake_robot.phase > stopped_at, 'a moving robot again')
    # On a busy machine the stop may have been repeated before its answer came.
    calls = [call for call, _ in itertools.groupby(fake_robot.calls)]
    assert calls == ['emergency_stop', 'reset', 'enable True']


def test_sliders_command_only_in_manual_mode(page, fake_robot, wait_until):
    page.type_tension('long_1 [N]', '5.5')
    fake_robot.wait_cycles(25)
    assert fake_robot.commands == []

    page.click('Manual')
    wait_until(lambda: fake_robot.commands, 'a command')
    assert fake_robot.calls == ['player False']
    # The robot stands still since the player paused: the sliders took over its tensions.
    applied = dict(zip(fake_robot.names, fake_robot.tension(), strict=True))
    assert fake_robot.commands[0] == pytest.approx(applied, abs=0.1)

    page.type_tension('long_1 [N]', '4.5')
    wait_until(lambda: fake_robot.commands[-1]['long_1'] == 4.5, 'the tension of the slider')
    page.type_tension('long_1 [N]', '99')
    wait_until(lambda: fake_robot.commands[-1]['long_1'] == 6.0, 'the tension at its limit')
    assert max(command['long_1'] for command in fake_robot.commands) == 6.0

    page.click('Manual')
    wait_until(lambda: 'player True' in fake_robot.calls, 'the resumed player')
    n_commands = len(fake_robot.commands)
    fake_robot.wait_cycles(25)
    assert len(fake_robot.commands) == n_commands


def test_disable_ends_manual_control(page, fake_robot, wait_until):
    page.click('Manual')
    wait_until(lambda: fake_robot.commands, 'a command')
    page.click('Disable')
    wait_until(lambda: 'enable False' in fake_robot.calls, 'the disabled robot')
    n_commands = len(fake_robot.commands)
    fake_robot.wait_cycles(25)
    assert len(fake_robot.commands) == n_commands
    wait_until(lambda: 'the player is paused' in page.text(), 'the paused player on the page')


def test_a_stop_without_a_robot_is_repeated_until_it_is_confirmed(page, fake_robot, wait_until):
    fake_robot.refuses_stop = True
    page.click('EMERGENCY STOP')
    wait_until(lambda: 'STOP NOT CONFIRMED' in page.text(), 'the warning')
    fake_robot.refuses_stop = False
    wait_until(lambda: 'EMERGENCY STOP IS LATCHED' in page.text(), 'the latched stop on the page')


def test_a_picture_of_the_page_can_be_taken(page, console, tmp_path):
    file = tmp_path / 'console.png'
    screenshot.take(console.address(), str(file), after=0.0, width=800, height=600)
    with Image.open(file) as picture:
        assert (picture.format, picture.width) == ('PNG', 800)


def test_manual_control_ends_when_the_last_browser_leaves(page, console, fake_robot, wait_until):
    page.click('Manual')
    wait_until(lambda: fake_robot.commands, 'a command')
    page.driver.get('about:blank')

    def is_silent() -> bool:
        n_commands = len(fake_robot.commands)
        fake_robot.wait_cycles(25)
        return len(fake_robot.commands) == n_commands

    wait_until(is_silent, 'the end of the commands')
    page.driver.get(console.address())
    wait_until(lambda: 'no browser showed the page' in page.text(), 'the reason on the page')
    assert fake_robot.calls == ['player False']
