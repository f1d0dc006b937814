"""Two graphs, or two results with their tables, side by side."""

from dagscape.comparisons.compare import compare
from dagscape.comparisons.comparison import ResultComparison

__all__ = ["ResultComparison", "compare"]
