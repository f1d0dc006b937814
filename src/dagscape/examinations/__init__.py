"""A graph of the user's own, set beside what the table says."""

from dagscape.examinations.examination import Examination
from dagscape.examinations.examine import examine
from dagscape.examinations.pag_examination import PagExamination

__all__ = ["Examination", "PagExamination", "examine"]
