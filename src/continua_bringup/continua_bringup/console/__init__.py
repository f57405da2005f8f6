"""The operator console: a browser page that shows the arm and sends what the operator asks for."""
