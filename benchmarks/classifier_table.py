"""Log-loss of the classifier beside logistic regression and boosting, on scikit-learn's own tables.

Run: python benchmarks/classifier_table.py [--repeats 3]

Five folds, shuffled, of breast cancer, wine, and digits as "8 or 9" against the rest. Beside the
log-loss (lower is better) stands how far probabilities are from what happens: the mean difference
in ten groups of rows by the probability of their most probable class.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from dagscape.sklearn import BayesianNetworkClassifier

MODELS = {
    "dagscape, several cuts": BayesianNetworkClassifier(),
    "dagscape, quantiles of 5": BayesianNetworkClassifier(discretize=("quantile", 5)),
    "dagscape, tan": BayesianNetworkClassifier("tan"),
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)),
    "boosting": HistGradientBoostingClassifier(random_state=0),
}


def tables():
    """Return the tables by name."""
    digits, which = load_digits(return_X_y=True)
    return {
        "breast": load_breast_cancer(return_X_y=True),
        "wine": load_wine(return_X_y=True),
        "digits > 7": (digits, which > 7),
    }


def calibration(y, probabilities):
    """Return the mean difference of what is said and what happens, in ten groups of rows."""
    classes = np.unique(y)
    sure, right = probabilities.max(axis=1), classes[probabilities.argmax(axis=1)] == y
    order = np.argsort(sure, kind="stable")
    groups = np.array_split(order, 10)
    apart = [len(g) * abs(sure[g].mean() - right[g].mean()) for g in groups]
    return sum(apart) / len(y)


def main():
    """Print the table."""
    asked = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    asked.add_argument("--repeats", type=int, default=3, help="shuffles of the folds")
    repeats = asked.parse_args().repeats
    warnings.simplefilter("ignore")
    sys.stdout.write("| | " + " | ".join(tables()) + " |" + "\n")
    sys.stdout.write("| --- |" + " --- |" * len(tables()) + "\n")
    for name, model in MODELS.items():
        cells = []
        for X, y in tables().values():
            losses, apart, begun = [], [], time.perf_counter()
            for seed in range(repeats):
                folds = StratifiedKFold(5, shuffle=True, random_state=seed)
                found = cross_val_predict(model, X, y, cv=folds, method="predict_proba")
                losses.append(log_loss(y, found))
                apart.append(calibration(y, found))
            seconds = (time.perf_counter() - begun) / repeats
            cells.append(f"{np.mean(losses):.3f} ({np.mean(apart):.3f}; {seconds:.1f} s)")
        sys.stdout.write(f"| {name} | " + " | ".join(cells) + " |" + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
