"""What the user knows before the search: the object, and its file."""

from dagscape.knowledge.knowledge import KNOWLEDGE_PARTS, Knowledge, OfRows, OfTable, described
from dagscape.knowledge.knowledge_files import read_knowledge

__all__ = ["KNOWLEDGE_PARTS", "Knowledge", "OfRows", "OfTable", "described", "read_knowledge"]
