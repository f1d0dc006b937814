"""Many models instead of one: local optima, bootstrap, and the features that they share."""

from dagscape.files.result_frames import FRAMES, as_frame
from dagscape.landscape.bootstrap import METHODS, Bootstrap, bootstrap
from dagscape.landscape.graph_features import KINDS
from dagscape.landscape.models import ManyModels, Optimum
from dagscape.landscape.optima import Landscape, load_landscape, local_optima

__all__ = [
    "FRAMES",
    "KINDS",
    "METHODS",
    "Bootstrap",
    "Landscape",
    "ManyModels",
    "Optimum",
    "as_frame",
    "bootstrap",
    "load_landscape",
    "local_optima",
]
