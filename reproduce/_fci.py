"""Run causal-learn's FCI on one table, by an interpreter that has it: python _fci.py TABLE ALPHA.

TABLE is a .npz of codes and names. Prints JSON: edges as written by dagscape, and CPU seconds.
"""

import contextlib
import io
import json
import sys
import time

import numpy as np
from causallearn.search.ConstraintBased.FCI import fci

BEGIN = {-1: "-", 1: "<-", 2: "o-"}
END = {-1: "", 1: ">", 2: "o"}


def main() -> None:
    """Do it."""
    with np.load(sys.argv[1]) as table:
        codes, names = table["codes"], [str(name) for name in table["names"]]
    begun = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        graph, _ = fci(
            codes,
            "gsq",
            float(sys.argv[2]),
            verbose=False,
            show_progress=False,
            node_names=names,
        )
    seconds = time.process_time() - begun
    listed = [node.get_name() for node in graph.get_nodes()]
    ends = graph.graph  # row i, column j: the mark at i of its edge with j
    edges = [
        (listed[i], BEGIN[ends[i, j]] + END[ends[j, i]], listed[j])
        for i in range(len(listed))
        for j in range(i)
        if ends[i, j]
    ]
    sys.stdout.write(json.dumps({"edges": edges, "seconds": seconds}))


if __name__ == "__main__":
    main()
