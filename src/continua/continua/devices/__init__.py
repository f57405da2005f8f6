"""Wire formats and device classes, each with a byte-level fake; nothing here knows ROS."""
