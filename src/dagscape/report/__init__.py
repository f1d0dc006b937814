"""The report page and pictures: what a result and a landscape look like.

Sees only the public package. :class:`~dagscape.Result` and :class:`~dagscape.Landscape` import this
when they are asked to show themselves, and not before.
"""

from dagscape.report.pairs import Models
from dagscape.report.report import report_page

__all__ = ["Models", "report_page"]
