"""What happened to a table on its way in, and what is odd about it: facts, and their sentences."""

from dagscape.notes.advice import in_brief, is_copy, mended_by, repeats
from dagscape.notes.note import AT_FIRST_SIGHT, DEPENDENT, MOST_EXAMPLES, OF_ROWS, Note, has_number
from dagscape.notes.sentences import Sentence, in_no_words, sentences
from dagscape.notes.speakers import NAMED

__all__ = [
    "AT_FIRST_SIGHT",
    "DEPENDENT",
    "MOST_EXAMPLES",
    "NAMED",
    "OF_ROWS",
    "Note",
    "Sentence",
    "has_number",
    "in_brief",
    "in_no_words",
    "is_copy",
    "mended_by",
    "repeats",
    "sentences",
]
