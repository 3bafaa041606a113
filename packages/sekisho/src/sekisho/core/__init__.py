"""Records, errors, messages and text: what every other layer may import, and what imports none of them."""
