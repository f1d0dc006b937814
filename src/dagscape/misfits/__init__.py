"""What a network does not reproduce of its table: rows that it makes too few or many of."""

from dagscape.misfits.mends import Mend
from dagscape.misfits.network_fit import Fit, Misfit, fit_of

__all__ = ["Fit", "Mend", "Misfit", "fit_of"]
