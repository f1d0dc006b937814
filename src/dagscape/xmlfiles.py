"""XML: a reader that names the line, and text that XML can hold.

A document that declares entities is refused: none is needed, and expanding them is how XML readers
are attacked; nothing outside the file is ever opened.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import NoReturn
from xml.parsers import expat

from dagscape.errors import FileFormatError, ParameterError

_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class XmlReader(ABC):
    """Walks through a document; what derives from it says what becomes of its elements.

    Parameters
    ----------
    source
        The file, for the words of errors.
    namespaces
        Whether tags are shown as "namespace tag".
    """

    def __init__(self, source: str, *, namespaces: bool = False) -> None:
        self.source = source
        self.parser = expat.ParserCreate(namespace_separator=" " if namespaces else None)
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.EntityDeclHandler = self._entity

    @abstractmethod
    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Take note of an element that begins."""

    @abstractmethod
    def end(self, tag: str) -> None:
        """Take note of an element that ends."""

    @abstractmethod
    def characters(self, text: str) -> None:
        """Take note of text, or of a part of it."""

    def walk(self, content: bytes) -> None:
        """Go through the whole document."""
        try:
            self.parser.Parse(content, True)
        except expat.ExpatError as error:
            why = expat.ErrorString(error.code)
            self.fail(f"not XML: {why}", error.lineno)
        except FileFormatError:
            raise
        except (LookupError, ValueError) as error:  # an encoding that nobody knows
            self.fail(f"not XML that can be read: {error}; save it as UTF-8")

    @property
    def line(self) -> int:
        """The line it is at."""
        return self.parser.CurrentLineNumber

    def fail(self, sentence: str, line: int | None = None) -> NoReturn:
        """Refuse the document, for what is on a line."""
        at = self.line if line is None else line
        raise FileFormatError(f"{self.source}, line {at}: {sentence}") from None

    def _entity(self, name: str, *_: object) -> None:
        self.fail(f'the document declares the entity "{name}"; entities are refused')


def escaped(text: str, instead: str) -> str:
    """Return text as XML writes it, in elements and attributes alike.

    What XML has no character for is refused, with what to use instead.
    """
    if wrong := _NOT_IN_XML.search(text):
        raise ParameterError(
            f"{text!r} cannot be written as XML, which has no character {wrong[0]!r}; use {instead}"
        )
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
