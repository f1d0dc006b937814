"""What a table says of causes where some may be hidden: targeted tests of its best network."""

from dagscape.hidden_causes.hidden import hidden, hidden_of
from dagscape.hidden_causes.hidden_edges import Hidden

__all__ = ["Hidden", "hidden", "hidden_of"]
