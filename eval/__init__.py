"""How this repository uses its own gate: targets, faults injected on purpose, the demonstration."""
