# The environment of this workspace: `source env.sh` (bash or zsh) after `make setup`.
# It stacks .venv (Python and, where no ROS 2 is installed, the ROS 2 wheels) and install/ (our packages).

_continua_root="$(cd "$(dirname "${BASH_SOURCE[0]:-$0}")" && pwd)"
. "$_continua_root/.venv/bin/activate"

if [ -z "${ROS_DISTRO:-}" ]; then
    export AMENT_PREFIX_PATH="$VIRTUAL_ENV"
fi
# Keep discovery on this machine unless told otherwise, so that benches do not hear each other.
export ROS_AUTOMATIC_DISCOVERY_RANGE="${ROS_AUTOMATIC_DISCOVERY_RANGE:-LOCALHOST}"

if [ -f "$_continua_root/install/local_setup.sh" ]; then
    COLCON_CURRENT_PREFIX="$_continua_root/install"
    . "$_continua_root/install/local_setup.sh"
    unset COLCON_CURRENT_PREFIX
fi
unset _continua_root
