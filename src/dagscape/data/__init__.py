"""Tables of discrete data, from memory and from files."""

from dagscape.data.data import Data
from dagscape.data.read import read_data

__all__ = ["Data", "read_data"]
