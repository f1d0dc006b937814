"""Series: their tables, and what networks say from one step to the next."""

from dagscape.over_time.assumptions import Assumption, check_assumptions
from dagscape.over_time.make_series import series
from dagscape.over_time.score_forecasts import forecast_scores

__all__ = ["Assumption", "check_assumptions", "forecast_scores", "series"]
