"""The report page and pictures: what a result and a landscape look like.

Sees only the public package. :class:`~dagscape.Result` and :class:`~dagscape.Landscape` import this
when they are asked to show themselves, and not before.
"""

from dagscape.report.notebook import PageFrame, shown_html
from dagscape.report.page_pairs import Models
from dagscape.report.pictures import PLOTS, picture_file, plot_models, plot_result
from dagscape.report.posterior_page import posterior_page
from dagscape.report.report import comparison_page, essential, examination_page, report_page

__all__ = [
    "PLOTS",
    "Models",
    "PageFrame",
    "comparison_page",
    "essential",
    "examination_page",
    "picture_file",
    "plot_models",
    "plot_result",
    "posterior_page",
    "report_page",
    "shown_html",
]
