"""The exceptions this package raises on purpose, all under one roof."""


class DagscapeError(Exception):
    """Something the caller can mend; the message says what and how."""


class DataError(DagscapeError, ValueError):
    """The table cannot be used as it is."""


class DataWarning(UserWarning):
    """A table is not what it was before it was read: many rows or cells are lost, say."""


class ParameterError(DagscapeError, ValueError):
    """An argument lies outside what it may be, or names something unknown."""


class GraphError(DagscapeError, ValueError):
    """The graph is not of the kind that is needed."""


class FileFormatError(DagscapeError, ValueError):
    """A file does not follow the format it is read as."""


class ClusterError(DagscapeError, RuntimeError):
    """A cluster cannot be used as it is."""


class ClusterWarning(UserWarning):
    """A cluster went away; what came back before is what is returned."""


class LostClusterError(ClusterError):
    """A cluster, or too many of its workers, went away before the work was done."""
