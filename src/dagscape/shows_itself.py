"""How objects show themselves in a notebook: as the report draws and tells them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar


class ShowsItself:
    """What notebooks ask: HTML, made by the report when it is asked for and not before."""

    __slots__ = ()

    _behind: ClassVar[frozenset[str]] = frozenset()
    """Public names that tab completion leaves out, so that what people need first is seen first."""

    def __dir__(self) -> Iterable[str]:
        """Return the names that tab completion shows."""
        return [name for name in super().__dir__() if name not in self._behind]

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from dagscape.report import shown_html

        return shown_html(self)
