"""The studies of the papers that this project builds on, each redone by one command: `continua repro`."""
