"""The report page and pictures: what a result and a landscape look like.

Sees only the public package. :class:`~dagscape.Result` and :class:`~dagscape.Landscape` import this
when they are asked to show themselves, and not before.
"""

from dagscape.report.page_pairs import Models
from dagscape.report.pictures import PLOTS, picture_file, plot_models, plot_result
from dagscape.report.probabilities import posterior_page
from dagscape.report.report import comparison_page, essential, examination_page, report_page
from dagscape.report.small_picture import models_html, result_html

__all__ = [
    "PLOTS",
    "Models",
    "comparison_page",
    "essential",
    "examination_page",
    "models_html",
    "picture_file",
    "plot_models",
    "plot_result",
    "posterior_page",
    "report_page",
    "result_html",
]
