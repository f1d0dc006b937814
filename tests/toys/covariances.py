"""Gaussian BIC and log-likelihood: values of sets from a covariance matrix instead of counts."""

from __future__ import annotations

import math

import numpy as np

from toys.from_python import PythonScore


def gaussian(rows: np.ndarray, *, price: float | None = None) -> PythonScore:
    """Return −N/2 (|S| (1 + ln 2π) + ln det Σ_S), less a price of each parameter, else BIC's."""
    cases, variables = rows.shape
    covariance = np.cov(rows, rowvar=False, bias=True)
    each = math.log(cases) / 2 if price is None else price

    def parameters(members):
        return len(members) * (len(members) + 3) / 2

    def joint(members):
        chosen = np.ix_(list(members), list(members))
        log_determinant = float(np.linalg.slogdet(covariance[chosen])[1]) if len(members) else 0.0
        fit = -cases / 2 * (len(members) * (1 + math.log(2 * math.pi)) + log_determinant)
        return fit - each * parameters(members)

    return PythonScore(variables, float(cases), joint, parameters)
