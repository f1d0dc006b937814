"""Tables of discrete data, from memory and from files."""

from dagscape.data.check_result import Check
from dagscape.data.checks import check
from dagscape.data.closer_look import looked_over
from dagscape.data.data import Data, check_data
from dagscape.data.first_contact import contact_with_file
from dagscape.data.formats import MISSING_VALUES
from dagscape.data.gaps import MissingCells
from dagscape.data.intervention_files import read_interventions
from dagscape.data.interventions import Interventions
from dagscape.data.read import read_data, read_rows
from dagscape.data.rows import FACTS
from dagscape.data.several_tables import join_experiments
from dagscape.data.tables import TableLike, as_data

__all__ = [
    "FACTS",
    "MISSING_VALUES",
    "Check",
    "Data",
    "Interventions",
    "MissingCells",
    "TableLike",
    "as_data",
    "check",
    "check_data",
    "contact_with_file",
    "join_experiments",
    "looked_over",
    "read_data",
    "read_interventions",
    "read_rows",
]
