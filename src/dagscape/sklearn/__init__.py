"""Markov blankets and networks as steps of a scikit-learn pipeline.

Needs the extra ``dagscape[sklearn]``. Import it by name: ``from dagscape.sklearn import ...``.
"""

try:
    from sklearn.base import BaseEstimator  # noqa: F401 - both are there from 1.6 on
    from sklearn.utils.validation import validate_data  # noqa: F401
except ImportError:
    raise ImportError(
        "dagscape.sklearn needs scikit-learn 1.6 or later, which is not installed: "
        'pip install "dagscape[sklearn]"'
    ) from None

from dagscape.sklearn.classifier import BayesianNetworkClassifier
from dagscape.sklearn.selector import MarkovBlanketSelector
from dagscape.sklearn.structure import BayesianNetworkStructure

__all__ = ["BayesianNetworkClassifier", "BayesianNetworkStructure", "MarkovBlanketSelector"]
