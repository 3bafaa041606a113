"""What a target can be, and what a file can be."""
