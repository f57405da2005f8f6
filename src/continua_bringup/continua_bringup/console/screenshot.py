"""A picture of the running console, drawn by headless Chromium:

python -m continua_bringup.console.screenshot http://127.0.0.1:8080 console.png
"""

import argparse
import shutil
import tempfile
import time

__all__ = ['open_browser', 'take']

FLAGS = (
    '--headless',
    '--no-sandbox',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
)
# The notice that there is no GPU.
CLOSE_NOTICES = "document.querySelectorAll('.mantine-Notification-closeButton').forEach(e => e.click())"


def open_browser(profile_folder: str, width: int, height: int):
    """A selenium driver of the system's Chromium with an empty profile; ValueError where there is none."""
    chromium, driver = shutil.which('chromium'), shutil.which('chromedriver')
    if not (chromium and driver):
        raise ValueError('chromium is not installed: apt-get install chromium chromium-driver')
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f'--window-size={width},{height}', f'--user-data-dir={profile_folder}'):
        options.add_argument(flag)
    return webdriver.Chrome(options=options, service=Service(driver))


def take(address: str, file: str, after: float, width: int = 1600, height: int = 1000) -> None:
    """Save the page as PNG `after` s, in which the plots fill."""
    with tempfile.TemporaryDirectory() as profile:
        browser = open_browser(profile, width, height)
        try:
            browser.get(address)
            time.sleep(after)
            browser.execute_script(CLOSE_NOTICES)
            time.sleep(1.0)  # the notice fades
            browser.save_screenshot(file)
        finally:
            browser.quit()


def main() -> None:
    """Take a picture as the command line says."""
    parser = argparse.ArgumentParser(description='Save a picture of the running console.')
    parser.add_argument('address', help='of the page, such as http://127.0.0.1:8080')
    parser.add_argument('file', help='PNG to write')
    parser.add_argument('--after', type=float, default=25.0, help='seconds to wait for the plots to fill')
    arguments = parser.parse_args()
    try:
        take(arguments.address, arguments.file, arguments.after)
    except ValueError as error:
        raise SystemExit(f'screenshot: {error}') from None


if __name__ == '__main__':
    main()
