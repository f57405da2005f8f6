"""`continua launch`: runs ROS 2 XML launch files where `ros2 launch` is not installed, and treats them alike.

The way of a file through this package: `xml_reader` reads it with line numbers, `schema` says what may
stand where, `substitutions` parses `$(...)`, `expansion` turns the tree into a `plan` of processes (all of
it before the first one starts), and `service` starts, watches and stops them.
"""
