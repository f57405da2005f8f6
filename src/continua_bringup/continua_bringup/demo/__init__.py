"""`continua demo`: the experiment of this repository, from nothing to a report."""
