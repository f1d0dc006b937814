"""What the user knows before the search: the object, and its file."""

from dagscape.knowledge.files import read_knowledge
from dagscape.knowledge.knowledge import KNOWLEDGE_PARTS, Knowledge, described

__all__ = ["KNOWLEDGE_PARTS", "Knowledge", "described", "read_knowledge"]
