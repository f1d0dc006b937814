"""What chance makes of a table whose columns have nothing to do with each other."""

from dagscape.chance.pairs import Chances, chances_of
from dagscape.chance.shuffles import Shuffles

__all__ = ["Chances", "Shuffles", "chances_of"]
