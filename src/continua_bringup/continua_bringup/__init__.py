"""Installs launch files and configuration; launch runner, recorder, operator console."""
