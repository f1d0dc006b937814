"""Functions of variable sets that the engine does not have, one to a file."""
