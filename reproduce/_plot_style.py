"""How figures look: small letters, and the same bytes for the same data."""

from __future__ import annotations

from typing import Any

PLAIN: dict[str, Any] = {"font.size": 8, "svg.fonttype": "none", "svg.hashsalt": "dagscape"}
OPEN: dict[str, Any] = {
    **PLAIN,
    "font.family": "DejaVu Sans",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
}
"""Without the upper and the right side of the frame."""
