"""What a change did: two runs over the same cases, told apart case by case and judged together."""
