"""Series: their tables, and what networks say from one step to the next."""

from dagscape.over_time.make_series import series

__all__ = ["series"]
