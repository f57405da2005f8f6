"""Controller nodes and the reference player."""
