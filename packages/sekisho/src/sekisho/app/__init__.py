"""Configuration and wiring: from ``sekisho.toml`` or options to results."""
