"""A graph of the user's own, set beside what the table says."""

from dagscape.examinations.examination import Examination
from dagscape.examinations.examine import examine

__all__ = ["Examination", "examine"]
