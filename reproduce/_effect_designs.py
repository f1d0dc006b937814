"""Fixed truths with a known effect: tables of states, of numbers, and of both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

Rng = np.random.Generator
Frame = dict[str, Any]


@dataclass(frozen=True)
class Design:
    """Rows that are drawn from a truth; what is set, and what is looked at."""

    draw: Callable[[Rng, int, Mapping[str, Any]], Frame]
    """Rows; if the cause is given, that is set instead of drawn."""
    tiers: tuple[tuple[str, ...], ...]
    cause: str
    outcome: str
    after: Any
    before: Any
    state: str | None
    """Of an outcome with states, the one whose probability is looked at."""

    def truth(self, rows: int = 1_000_000) -> float:
        """Return the effect: the same rows with the cause set to one value, and to the other."""
        means = []
        for value in (self.after, self.before):
            drawn = self.draw(np.random.default_rng(1), rows, {self.cause: value})[self.outcome]
            found = np.asarray(drawn)
            means.append(float(np.mean(found if self.state is None else found == self.state)))
        return means[0] - means[1]


def logistic(x: np.ndarray) -> np.ndarray:
    """Return the logistic function."""
    return 1 / (1 + np.exp(-x))


def yes(rng: Rng, probability: np.ndarray) -> np.ndarray:
    """Return yes and no."""
    return np.where(rng.random(len(probability)) < probability, "yes", "no")


def _set(given: Mapping[str, Any], name: str, drawn: np.ndarray) -> np.ndarray:
    return np.full(len(drawn), given[name]) if name in given else drawn


def coins(rng: Rng, rows: int, given: Mapping[str, Any]) -> Frame:
    """Draw two common causes of a treatment and an outcome, and one cause of the outcome alone."""
    a, b, c = (rng.random((3, rows)) < [[0.5], [0.3], [0.5]]).astype(int)
    t = _set(given, "t", yes(rng, 0.2 + 0.4 * a + 0.2 * b))
    y = yes(rng, 0.15 + 0.25 * a + 0.15 * b + 0.15 * c + 0.15 * (t == "yes"))
    return {"a": _words(a), "b": _words(b), "c": _words(c), "t": t, "y": y}


def several(rng: Rng, rows: int, given: Mapping[str, Any]) -> Frame:
    """Draw a common cause of four states, a treatment of three, and an outcome of three."""
    a = rng.choice(4, rows, p=[0.4, 0.3, 0.2, 0.1])
    share = np.array([[0.6, 0.3, 0.1], [0.4, 0.4, 0.2], [0.3, 0.3, 0.4], [0.2, 0.3, 0.5]])[a]
    t = _set(given, "t", _pick(rng, share, ("low", "mid", "high")))
    dose = np.select([t == "low", t == "mid"], [0.0, 0.5], 1.0)
    bad = 0.1 + 0.08 * a + 0.2 * dose
    fair = np.full(rows, 0.3)
    y = _pick(rng, np.stack([1 - bad - fair, fair, bad], 1), ("good", "fair", "bad"))
    other = _pick(rng, np.array([[0.5, 0.5], [0.3, 0.7], [0.6, 0.4], [0.5, 0.5]])[a], ("u", "v"))
    return {"a": _words(a), "t": t, "other": other, "y": y}


def moderated(rng: Rng, rows: int, given: Mapping[str, Any]) -> Frame:
    """Draw a treatment that helps some and harms others, who get it more often."""
    a, b = (rng.random((2, rows)) < 0.5).astype(int)
    t = _set(given, "t", yes(rng, 0.3 + 0.4 * a))
    y = yes(rng, 0.3 + 0.1 * b + np.where(a == 1, -0.1, 0.3) * (t == "yes"))
    return {"a": _words(a), "b": _words(b), "t": t, "y": y}


def lines(rng: Rng, rows: int, given: Mapping[str, Any]) -> Frame:
    """Draw numbers: two common causes, and a way by another column besides the direct one."""
    a, b = rng.normal(size=(2, rows))
    x = _set(given, "x", 0.5 * a + 0.3 * b + rng.normal(size=rows))
    m = 0.4 * x + rng.normal(size=rows)
    y = 0.2 * x + 0.3 * m + 0.5 * a + 0.3 * b + rng.normal(size=rows)
    return {"a": a, "b": b, "x": x, "m": m, "y": y}


def clinic(rng: Rng, rows: int, given: Mapping[str, Any]) -> Frame:
    """Draw age, severity, a drug that goes to the severe, lab values and an event."""
    age = rng.normal(60, 12, rows)
    severity = np.clip(np.round((age - 60) / 15 + rng.normal(size=rows)), -1, 1)
    drug = _set(given, "drug", yes(rng, logistic(-0.3 + 0.9 * severity + 0.02 * (age - 60))))
    lab = 5 + 0.5 * severity + rng.normal(size=rows)
    later = lab - 0.6 * (drug == "yes") + rng.normal(size=rows)
    risk = -1 + 0.8 * severity + 0.03 * (age - 60) + 0.3 * (lab - 5) - 0.6 * (drug == "yes")
    return {
        "age": age,
        "severity": np.array(["mild", "moderate", "severe"])[(severity + 1).astype(int)],
        "lab": lab,
        "drug": drug,
        "later": later,
        "event": yes(rng, logistic(risk)),
    }


def _words(codes: np.ndarray) -> np.ndarray:
    return np.array([f"s{code}" for code in range(int(codes.max()) + 1)])[codes]


def _pick(rng: Rng, shares: np.ndarray, words: tuple[str, ...]) -> np.ndarray:
    at = (rng.random((len(shares), 1)) > shares.cumsum(axis=1)[:, :-1]).sum(axis=1)
    return np.array(words)[at]


CLINIC = (("age",), ("severity",), ("lab",), ("drug",), ("later", "event"))

DESIGNS: dict[str, Design] = {
    "states: coins": Design(coins, (("a", "b", "c"), ("t",), ("y",)), "t", "y", "yes", "no", "yes"),
    "states: several": Design(
        several, (("a",), ("t", "other"), ("y",)), "t", "y", "high", "low", "bad"
    ),
    "states: moderated": Design(
        moderated, (("a", "b"), ("t",), ("y",)), "t", "y", "yes", "no", "yes"
    ),
    "numbers: lines": Design(lines, (("a", "b"), ("x",), ("m",), ("y",)), "x", "y", 1.0, 0.0, None),
    "mixed: drug on event": Design(clinic, CLINIC, "drug", "event", "yes", "no", "yes"),
    "mixed: drug on later": Design(clinic, CLINIC, "drug", "later", "yes", "no", None),
}
"""By name, with the kind of table."""
