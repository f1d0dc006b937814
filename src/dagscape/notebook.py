"""How objects show themselves in a notebook: as the report draws and tells them."""

from __future__ import annotations


class ShowsItself:
    """What notebooks ask: HTML, made by the report when it is asked for and not before."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from dagscape.report import shown_html

        return shown_html(self)
