"""The Markov blanket that a learned network has, beside the one that local learning finds."""

from pathlib import Path

import dagscape as ds


def read_learned(where: Path) -> ds.Result:
    """Read what a search found: a saved result, or a folder of ``dagscape learn``."""
    path = where / "result.json" if where.is_dir() else where
    if not path.exists():
        raise ds.ParameterError(
            f'--of needs a folder of dagscape learn or a saved result, and there is no "{path}"'
        )
    return ds.load_result(path)


def own_blanket(found: ds.Result, target: str, table: ds.Data) -> ds.Blanket:
    """Return the blanket of a variable in a network, with roles and without support."""
    dag, class_ = found.dag, found.mpdag
    if target not in dag.names:
        raise ds.ParameterError(f'the network has no variable "{target}"')
    near = set(dag.neighbors(target))
    members = []
    for name in dag.markov_blanket(target):
        if name not in near:
            through = [x for x in dag.children(target) if name in dag.parents(x)]
            members.append(ds.BlanketMember(name, "spouse", tuple(through), None))
            continue
        directed = (name, target) in class_.directed, (target, name) in class_.directed
        role = {(True, False): "parent", (False, True): "child"}.get(directed, "parent or child")
        members.append(ds.BlanketMember(name, role, (), None))
    slopes = {one.name: ds.edge_slopes(table, dag, target, one.name) for one in members}
    how = (found.method, found.score_name, None, 0.0)
    return ds.Blanket(target, tuple(members), found, *how, slopes)
