"""The exceptions this package raises on purpose, all under one roof."""


class DagscapeError(Exception):
    """Something that the caller can mend; the message says what it is and how."""


class DataError(DagscapeError, ValueError):
    """The table cannot be used as it is."""


class DataWarning(UserWarning):
    """Much of a table was lost or changed as it was read: many rows or cells, say."""


class ParameterError(DagscapeError, ValueError):
    """An argument is out of range, or names something unknown."""


class GraphError(DagscapeError, ValueError):
    """The graph is not of the kind that is needed."""


class FileFormatError(DagscapeError, ValueError):
    """A file does not follow the format it is read as."""


class ClusterError(DagscapeError, RuntimeError):
    """A cluster cannot be used as it is."""


class ClusterWarning(UserWarning):
    """A cluster was lost; what came back before is returned."""


class LostClusterError(ClusterError):
    """A cluster, or too many of its workers, went away before the work was done."""
