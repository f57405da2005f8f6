"""`continua show`: the static shape of a robot file on a page in the browser, with sliders for its inputs."""
