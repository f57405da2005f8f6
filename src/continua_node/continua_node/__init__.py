"""What every continua node shares: parameters, QoS, conversions, diagnostics, spin."""
