"""Tables of discrete data, from memory and from files."""

from dagscape.data.data import Data, check_data
from dagscape.data.gaps import MissingCells
from dagscape.data.read import read_data

__all__ = ["Data", "MissingCells", "check_data", "read_data"]
