"""dagscape beside pgmpy, pyAgrum, PyBNesian and causal-learn: ``make compare``."""
