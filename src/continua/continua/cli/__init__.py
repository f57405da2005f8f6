"""The `continua` command."""
