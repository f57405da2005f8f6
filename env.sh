# The environment of this workspace: `source env.sh` (bash or zsh) after `make setup`.
# It stacks .venv (Python and, where no ROS 2 is sourced, the ROS 2 wheels) and install/ (our packages).

_continua_root="$(cd "$(dirname "${BASH_SOURCE[0]:-$0}")" && pwd)"

if [ ! -f "$_continua_root/.venv/local_setup.sh" ]; then
    echo "env.sh: the workspace is not set up yet; run \`make setup\` in $_continua_root" >&2
    unset _continua_root
    return 1
fi
. "$_continua_root/.venv/bin/activate"
. "$_continua_root/.venv/local_setup.sh"
if [ "$CONTINUA_ROS" != "${ROS_DISTRO:-}" ]; then
    echo "env.sh: set up for ROS 2 '${CONTINUA_ROS:-wheels}', but '${ROS_DISTRO:-no ROS 2}' is sourced;" \
        "run \`make setup\` again or source that ROS 2" >&2
fi
unset CONTINUA_ROS

# Keep discovery on this machine unless told otherwise, so that benches do not hear each other.
export ROS_AUTOMATIC_DISCOVERY_RANGE="${ROS_AUTOMATIC_DISCOVERY_RANGE:-LOCALHOST}"

if [ -f "$_continua_root/install/local_setup.sh" ]; then
    COLCON_CURRENT_PREFIX="$_continua_root/install"
    . "$_continua_root/install/local_setup.sh"
    unset COLCON_CURRENT_PREFIX
fi
unset _continua_root
