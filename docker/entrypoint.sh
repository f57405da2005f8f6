#!/bin/bash
# Run a command in the workspace, on the ROS 2 of the image.
source "/opt/ros/$ROS_DISTRO/setup.bash"
source /opt/continua/env.sh
exec "$@"
