"""What the page is told, against the package's own answers and against counting by hand."""

import dataclasses
import json
import math

import numpy as np
import pytest

import dagscape as ds
from dagscape.report import content as content_module
from dagscape.report import page_optima as optima_module
from dagscape.report import page_tables as tables_module
from dagscape.report.content import content
from dagscape.report.page_optima import LEVELS, best_possible
from dagscape.report.page_pairs import BACK, FORTH, NONE, UNDIRECTED, edges_of, pairs_of
from dagscape.report.report import as_script


def has(graph, a, b):
    """Return the code of the edge between two names, straight from the graph."""
    if (a, b) in graph.directed:
        return FORTH
    if (b, a) in graph.directed:
        return BACK
    return UNDIRECTED if {(a, b), (b, a)} & set(graph.undirected) else NONE


class TestPairs:
    def test_every_pair_that_is_joined_somewhere_is_there_once(
        self, shown, landscape, result, truth
    ):
        joined = set()
        for graph in (result.cpdag, truth.dag.to_cpdag(), *(o.cpdag for o in landscape.optima)):
            joined |= {frozenset(edge) for edge in (*graph.directed, *graph.undirected)}
        names = shown["names"]
        listed = [frozenset((names[pair[0]], names[pair[1]])) for pair in shown["pairs"]]
        assert len(set(listed)) == len(listed)
        assert set(listed) == joined

    def test_shares_are_counts_over_the_optima(self, shown, landscape, result, truth):
        names = shown["names"]
        graphs = [optimum.cpdag for optimum in landscape.optima]
        true = truth.dag.to_cpdag()
        for a, b, shares, found, in_truth, arc, *_ in shown["pairs"]:
            one, other = names[a], names[b]
            kinds = [has(graph, one, other) for graph in graphs]
            by_hand = [kinds.count(kind) / len(graphs) for kind in (FORTH, BACK, UNDIRECTED)]
            assert shares == pytest.approx(by_hand, abs=1e-6)
            assert found == has(result.cpdag, one, other)
            assert in_truth == has(true, one, other)
            arcs = result.dag.arcs
            assert arc == (
                FORTH if (one, other) in arcs else BACK if (other, one) in arcs else NONE
            )

    def test_weights_are_passed_on(self, result, landscape):
        by_visits = {(p.a, p.b): p.shares for p in pairs_of(result.dag, landscape, None, "visits")}
        names = list(result.dag.names)
        rows = landscape.features("edges", weights="visits", frame="dict")
        for a, b, kind, share in zip(
            rows["from"], rows["to"], rows["kind"], rows["confidence"], strict=True
        ):
            i, j = names.index(a), names.index(b)
            which = 2 if kind == "undirected" else int(i > j)
            assert by_visits[min(i, j), max(i, j)][which] == pytest.approx(share)

    def test_changes_are_differences_of_scores(self, shown, result, data):
        names = shown["names"]
        before = ds.score(data, result.dag)
        for a, b, _, _, _, arc, change, *_ in shown["pairs"]:
            one, other = names[a], names[b]
            if arc:
                fewer = [pair for pair in result.dag.arcs if set(pair) != {one, other}]
                assert before + change == pytest.approx(ds.score(data, fewer), abs=1e-3)
                continue
            after = []
            for way in ((one, other), (other, one)):
                try:
                    more = ds.Dag(names, [*result.dag.arcs, way])
                except ds.GraphError:
                    continue
                after.append(ds.score(data, more))
            assert before + change == pytest.approx(max(after), abs=1e-3)

    def test_the_score_is_the_result_s(self, data):
        result = ds.ges(data, score=ds.BDeu(2.5))
        shown = content(result, data=data)
        a, b, _, _, _, arc, change, *_ = next(p for p in shown["pairs"] if p[5])
        start, end = (a, b) if arc == FORTH else (b, a)
        names = shown["names"]
        fewer = [pair for pair in result.dag.arcs if pair != (names[start], names[end])]
        lost = ds.score(data, fewer, score=ds.BDeu(2.5)) - result.score
        assert change == pytest.approx(lost, abs=1e-3)

    def test_a_score_that_is_not_ours_has_no_changes(self, result, data):
        other = ds.Result(dag=result.dag, score=-1.0, score_name="somebody's", method="theirs")
        assert all(pair[6] is None for pair in content(other, data=data)["pairs"])

    def test_only_so_many_are_listed(self, result, landscape, monkeypatch):
        everything = content(result, landscape=landscape)["pairs"]
        monkeypatch.setattr(content_module, "MOST_PAIRS", 12)
        few = content(result, landscape=landscape)
        assert few["pairs"][:12] == everything[:12]
        assert {tuple(p[:2]) for p in few["pairs"]} >= {tuple(p[:2]) for p in everything if p[3]}
        assert few["least"] == pytest.approx(sum(everything[12][2]), abs=1e-5)
        assert 12 <= len(few["pairs"]) < len(everything)


class TestModels:
    def test_scores_and_visits_are_those_of_the_optima(self, shown, landscape):
        models = shown["models"]
        assert models["scores"] == pytest.approx([o.score for o in landscape.optima], abs=1e-4)
        assert models["visits"] == [o.visits for o in landscape.optima]
        assert (models["kind"], models["runs"]) == ("optima", 60)

    def test_differences_lead_from_the_network_found_to_each_optimum(
        self, shown, landscape, result
    ):
        names = shown["names"]
        own = edges_of(result.cpdag, names)
        for optimum, changes in zip(landscape.optima, shown["models"]["differences"], strict=True):
            edges = dict(own)
            for a, b, before, now in changes:
                assert before != now
                assert edges.pop((a, b), NONE) == before
                if now:
                    edges[a, b] = now
            assert edges == edges_of(optimum.cpdag, names)

    def test_only_so_many_differences_are_listed(self, result, landscape, monkeypatch):
        monkeypatch.setattr(optima_module, "DIFFERENCES", 30)
        listed = content(result, landscape=landscape)["models"]["differences"]
        assert 0 < sum(map(len, listed)) <= 30

    def test_thresholds_and_tradeoffs_are_the_landscape_s(self, shown, landscape, result, truth):
        models = shown["models"]
        assert models["thresholds"] == {
            kind: landscape.threshold(kind, reference=result.dag)
            for kind in ("edges", "paths", "blankets")
        }
        for of, graph in (("found", result.dag), ("truth", truth.dag)):
            for kind in ("paths", "blankets"):
                rows = landscape.tradeoff(kind, graph, LEVELS)
                assert models["tradeoff"][of][kind] == [list(row[1:]) for row in rows.rows()]

    def test_blankets_are_the_landscape_s(self, shown, landscape):
        names = shown["names"]
        rows = landscape.features("blankets").filter(ds_positive())
        expected = {
            frozenset((row["from"], row["to"])): row["confidence"] for row in rows.to_dicts()
        }
        found = {frozenset((names[a], names[b])): c for a, b, c in shown["models"]["blankets"]}
        assert found == pytest.approx(expected, abs=1e-4)

    def test_bootstrap_networks_are_models_too(self, data):
        networks = ds.bootstrap(data, runs=5)
        models = content(networks.best, landscape=networks)["models"]
        assert (models["kind"], models["weights"], models["runs"]) == ("samples", "visits", 5)
        assert len(models["scores"]) == len(networks.networks)


def ds_positive():
    import polars as pl

    return pl.col("confidence") > 0


class TestBestPossible:
    def test_it_is_known_only_from_a_proof(self, result, landscape):
        assert best_possible(landscape) is None
        assert best_possible(landscape, result) is None

    def test_a_proven_result_is_one(self, data, landscape):
        best = ds.exact(data, score=landscape.score_kind, max_parents=2)
        assert best_possible(landscape, best) == {
            "score": best.score,
            "proven": True,
            "words": "There are no networks with at most 2 parents to the right of the optimum.",
        }

    def test_a_result_of_another_score_is_none(self, data, landscape):
        assert best_possible(landscape, ds.exact(data, score="aic", max_parents=1)) is None

    @pytest.mark.slow
    def test_the_landscape_s_own_proof_counts(self, data, result):
        landscape = ds.local_optima(data, score="bic", runs=2)
        proof = landscape.prove()
        found = best_possible(landscape, result)
        assert (found["score"], found["proven"]) == (proof.bound, proof.optimal)

    def test_a_proof_goes_before_a_lower_bound_elsewhere(self, result, landscape):
        kind = landscape.score_kind
        proven = ds.Result(dag=result.dag, score=-5.0, score_kind=kind, method="x", optimal=True)
        assert best_possible(landscape, proven)["score"] == -5.0
        of_some = dataclasses.replace(proven, scope=ds.Scope(candidates_only=True))
        assert best_possible(landscape, of_some) is None
        known = ds.Knowledge(forbidden=[result.dag.arcs[0]])
        obeying = dataclasses.replace(proven, scope=ds.Scope(knowledge=known))
        assert best_possible(landscape, obeying) is None
        endless = ds.Result(
            dag=result.dag, score=-5.0, score_name="bic", method="x", bound=math.inf
        )
        assert best_possible(landscape, endless) is None


class TestVariables:
    def test_counts_and_tables_are_those_of_the_data(self, shown, result, data):
        fitted = ds.fit(result.dag, data)
        frame = data.to_polars()
        for name, about in zip(shown["names"], shown["variables"], strict=True):
            states = list(data.states[name])
            assert about["states"] == states
            column = frame[name].cast(str).to_list()
            assert about["counts"] == [column.count(state) for state in states]
            parents = [shown["names"][i] for i in about["parents"]]
            assert tuple(parents) == result.dag.parents(name)
            rows = fitted.table(name).reshape(-1, len(states))
            assert np.allclose(about["table"], rows, atol=1e-4)

    def test_a_network_of_one_s_own_is_taken(self, result, data):
        own = ds.fit(result.dag, data, ess=100.0)
        about = content(result, network=own)["variables"][0]
        name = result.dag.names[0]
        rows = own.table(name).reshape(-1, len(own.states[name]))
        assert np.allclose(about["table"], rows, atol=1e-4)
        assert "counts" not in about

    def test_states_of_a_network_in_another_order_keep_their_tables(self, data):
        few = data.select(data.names[:2])
        a, b = few.names
        dag = ds.Dag(few.names, [(a, b)])
        states = {name: tuple(reversed(few.states[name])) for name in few.names}
        fitted = ds.fit(dag, few)
        tables = {a: fitted.table(a)[::-1], b: fitted.table(b)[::-1, ::-1]}
        own = ds.Network(dag, states, tables)
        score = ds.score(few, dag, score="bic")
        result = ds.Result(dag=dag, score=score, score_name="bic", method="x")
        turned = content(result, data=few, network=own)["variables"]
        plain = content(result, data=few)["variables"]
        for one, other in zip(turned, plain, strict=True):
            assert one["states"] == list(other["states"])[::-1]
            assert one["counts"] == other["counts"][::-1]
        assert np.allclose(turned[1]["table"], np.array(plain[1]["table"])[::-1, ::-1])

    def test_many_states_are_looked_up_not_searched(self):
        """With 60,000 states a search in a list for each took most of the time of `learn`."""
        asked = []

        class States(tuple):
            def __contains__(self, state):
                asked.append(state)
                return super().__contains__(state)

        data = ds.Data({"x": ["a", "b", "b", "c", "c", "c"]})
        states = States(("c", "b", "a"))
        assert tables_module.counts_of(["x"], data, {"x": states}) == {"x": [3, 2, 1]}
        assert not asked

    def test_a_state_that_the_network_lacks_is_said(self):
        data = ds.Data({"x": ["a", "b", "c"] * 3})
        dag = ds.Dag(["x"])
        own = ds.Network(dag, {"x": ("a", "b")}, {"x": [0.5, 0.5]})
        with pytest.raises(ds.ParameterError, match='has a state "c" that the network lacks'):
            content(ds.exact(data), data=data, network=own)

    def test_scores_that_are_no_numbers_are_left_out(self):
        dag = ds.Dag("ab", [("a", "b")])
        result = ds.Result(dag=dag, score=-math.inf, score_name="theirs", method="x")
        told = json.loads(as_script(content(result)))
        assert told["result"]["score"] is None

    @pytest.mark.slow
    def test_large_tables_are_left_out(self, result, data, monkeypatch):
        monkeypatch.setattr(tables_module, "CELLS", 8)
        for about in content(result, data=data)["variables"]:
            assert ("table" in about) == (about["cells"] <= 8)
        monkeypatch.setattr(tables_module, "ALL_CELLS", 20)
        tables = [about.get("table", []) for about in content(result, data=data)["variables"]]
        assert 0 < sum(len(row) for table in tables for row in table) <= 20

    def test_without_data_there_are_none(self, result):
        for about in content(result)["variables"]:
            assert set(about) == {"parents", "at", "width"}
