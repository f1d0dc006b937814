"""Pieces of work on a Dask cluster: data travel once, batches are sized by what they cost.

The scheduler gives batches to workers, and gives those of a dead worker to others. Here they are
cut, their results are taken in as they come, and what Dask does not mend is mended or named.
"""

from dagscape.errors import ClusterError
from dagscape.speech import setting

try:
    import distributed  # noqa: F401 - few have it
except ImportError:
    raise ClusterError(
        f"{setting('cluster')} needs the package distributed; "
        "install it: pip install dagscape[dask]"
    ) from None
