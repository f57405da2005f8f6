"""The recorder: every topic of a robot into a bag, losing nothing that reached this machine uncounted."""
