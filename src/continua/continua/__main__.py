"""`python -m continua` is the `continua` command, for where the command is not on the path."""

from continua.cli.main import main

main()
