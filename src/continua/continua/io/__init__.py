"""Bags (MCAP in a rosbag2 folder), the summary of a run and its report."""
