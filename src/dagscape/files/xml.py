"""XML: a reader that names the line, and text that XML can hold.

A document that declares entities is refused: none is needed, and expanding them is how XML readers
are attacked; nothing outside the file is ever opened. Documents are read as standing alone, so that
an entity which only a file outside could explain, such as ``&uuml;``, is an error. By the standard
it may be passed over in silence, and a name would lose a letter.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import NoReturn
from xml.parsers import expat

from dagscape.errors import FileFormatError, ParameterError

_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


_UNDEFINED_ENTITY = expat.errors.codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY]
_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);|#)[^;&<\s]{1,40};")
_DECLARATION = re.compile(rb"(?:\xef\xbb\xbf)?<\?xml\s[^>]*?\?>")
_STANDALONE = re.compile(rb"(?<!\s)\s+standalone\s*=\s*(?:'[^']*'|\"[^\"]*\")")
_WIDE = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"<\x00": "utf-16-le", b"\x00<": "utf-16-be"}


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
        """Note an element that begins."""

    @abstractmethod
    def end(self, tag: str) -> None:
        """Note an element that ends."""

    @abstractmethod
    def characters(self, text: str) -> None:
        """Note text, or a part of it."""

    def walk(self, content: bytes) -> None:
        """Go through the whole document."""
        try:
            alone = _standing_alone(content)
            self.parser.Parse(alone, True)
        except expat.ExpatError as error:
            if error.code == _UNDEFINED_ENTITY:
                found = _ENTITY.search(alone, self.parser.ErrorByteIndex)
                name = found[0].decode("utf-8", "replace") if found else "an entity"
                self.fail(f"{name} is not declared; write the character itself", error.lineno)
            why = expat.ErrorString(error.code)
            self.fail(f"not XML: {why}", error.lineno)
        except FileFormatError:
            raise
        except UnicodeDecodeError:
            self.fail("not XML: the text is not in the encoding it begins with; save it as UTF-8")
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


def _standing_alone(content: bytes) -> bytes:
    """Return a document that says of itself that it needs no other; lines stay where they are."""
    if encoding := _WIDE.get(content[:2]):
        text = content.decode(encoding).removeprefix("\ufeff")
        head, _, rest = text.partition("?>") if text.startswith("<?xml") else ("", "", text)
        lines = "\n" * head.count("\n")
        return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"{lines}?>{rest}'.encode()
    found = _DECLARATION.match(content)
    if found is None:
        body = content.removeprefix(b"\xef\xbb\xbf")
        declared = b'<?xml version="1.0" standalone="yes"?>'
        return content if body.startswith(b"<?xml") else declared + body
    declared = _STANDALONE.sub(b"", found[0])
    return declared[:-2].rstrip() + b' standalone="yes"?>' + content[found.end() :]


def escaped(text: str, instead: str) -> str:
    """Return text as XML writes it, in elements and attributes alike.

    What XML has no character for is refused, with what to use instead.
    """
    if wrong := _NOT_IN_XML.search(text):
        raise ParameterError(
            f"{text!r} cannot be written as XML, which has no character {wrong[0]!r}; use {instead}"
        )
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
