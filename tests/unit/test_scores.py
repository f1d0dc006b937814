"""Names, arguments and graphs of the scores; tests/agreement judges the formulas."""

import itertools
import math
import random

import networkx as nx
import numpy as np
import pytest

from dagscape.data import Data
from dagscape.errors import GraphError, ParameterError
from dagscape.graphs import Cpdag, Dag
from dagscape.scores import (
    AIC,
    BIC,
    FNML,
    K2,
    NAL,
    QNML,
    SCORES,
    BDeu,
    FittedDirichlet,
    LogLikelihood,
    as_score,
    scorer,
)
from dagscape.scores.numbers import BasisBIC, BGe, ConditionalGaussian, GaussianBIC, RankBGe
from dagscape.scoring import local_score, score

KINDS = [BIC(), AIC(), LogLikelihood(), BDeu(), FittedDirichlet(), K2(), QNML(), FNML()]
EQUIVALENT = [BIC(), AIC(), LogLikelihood(), BDeu(2), FittedDirichlet(), QNML()]
NAMES = ("yard", "heat", "wind", "ants")  # the engine's order is another one
BINARY = ["no", "yes"]


@pytest.fixture(scope="module")
def data():
    rng = random.Random(4)
    rows = []
    for _ in range(60):
        heat = rng.randrange(3)
        wind = rng.randrange(2)
        ants = min(1, heat) if rng.random() < 0.8 else rng.randrange(2)
        yard = (ants + wind) % 2 if rng.random() < 0.9 else rng.randrange(2)
        rows.append([yard, heat, wind, ants])
    return Data.from_codes(np.array(rows), {name: range(3) for name in NAMES})


def two_columns(ones):
    """Return ten rows of two binary columns; "z" has this many ones, "a" has one."""
    codes = [[int(row < ones), int(row == 9)] for row in range(10)]
    return Data.from_codes(np.array(codes), {"z": BINARY, "a": BINARY})


def entropy_sum(*counts):
    return sum(n * math.log(n / sum(counts)) for n in counts)


class TestNames:
    @pytest.mark.parametrize(
        ("name", "kind"),
        [
            ("bic", BIC()),
            ("mdl", BIC()),
            ("aic", AIC()),
            ("loglik", LogLikelihood()),
            ("log_likelihood", LogLikelihood()),
            ("ll", LogLikelihood()),
            ("bdeu", BDeu(ess=1.0)),
            ("k2", K2()),
            ("qnml", QNML()),
            ("fnml", FNML()),
            ("BDeu", BDeu()),
            ("MDL", BIC()),
        ],
    )
    def test_every_name(self, name, kind):
        assert as_score(name) == kind

    def test_no_name_is_missing_above(self):
        of_numbers = (GaussianBIC, BGe, RankBGe, BasisBIC, ConditionalGaussian)
        assert list(SCORES) == [name for kind in (*KINDS, NAL, *of_numbers) for name in kind.names]

    def test_objects_stand_for_themselves(self):
        chosen = BDeu(ess=7)
        assert as_score(chosen) is chosen

    def test_they_say_their_name(self):
        assert [str(kind) for kind in KINDS if kind != BDeu()] == [
            "bic",
            "aic",
            "loglik",
            "fitted_dirichlet",
            "k2",
            "qnml",
            "fnml",
        ]
        assert str(BDeu(0.5)) == "bdeu(ess=0.5)"
        assert repr(BDeu(0.5)) == "BDeu(ess=0.5)"

    def test_a_near_miss_gets_a_suggestion(self):
        with pytest.raises(ParameterError) as caught:
            as_score("BDue")
        assert str(caught.value) == 'unknown score "BDue"; did you mean "bdeu"?'

    def test_a_far_miss_gets_the_list(self):
        with pytest.raises(ParameterError) as caught:
            as_score("xyzzy")
        assert str(caught.value) == f'unknown score "xyzzy"; choose {", ".join(SCORES)}'

    @pytest.mark.parametrize("wrong", [BIC, 3, None])
    def test_what_is_no_score(self, wrong):
        with pytest.raises(ParameterError) as caught:
            as_score(wrong)
        expected = f"a score is a name or an object such as BIC(), got {wrong!r}"
        assert str(caught.value) == expected


class TestScoreObjects:
    def test_equality_and_hash(self):
        assert BDeu(1) == BDeu(1.0)
        assert hash(BDeu(1)) == hash(BDeu(1.0))
        assert BDeu(1) != BDeu(2)
        assert len(set(KINDS)) == len(KINDS)

    def test_nothing_can_be_assigned(self):
        with pytest.raises(AttributeError):
            BDeu().ess = 2.0

    @pytest.mark.parametrize("ess", [0, -1, math.inf, math.nan, "1", None])
    def test_ess_must_be_a_positive_number(self, ess):
        with pytest.raises(ParameterError) as caught:
            BDeu(ess)
        assert str(caught.value) == f"ess must be a positive number, got {ess!r}"

    def test_numbers_of_numpy_are_numbers(self, data):
        assert score(data, [], score=BDeu(np.float32(2))) == score(data, [], score=BDeu(2))


class TestLocalScore:
    def test_each_name_is_its_own_column(self):
        """Columns z and a are the engine's 1 and 0."""
        data = two_columns(4)
        assert local_score(data, "z", score="ll") == pytest.approx(entropy_sum(4, 6))
        assert local_score(data, "a", score="ll") == pytest.approx(entropy_sum(1, 9))

    def test_child_and_parents_are_not_mixed_up(self):
        data = two_columns(4)  # the one "a" falls among the six others
        assert local_score(data, "z", ["a"], score="ll") == pytest.approx(entropy_sum(4, 5))
        assert local_score(data, "a", ["z"], score="ll") == pytest.approx(entropy_sum(1, 5))

    def test_bic_is_the_default(self):
        data = two_columns(4)
        expected = entropy_sum(4, 6) - math.log(10) / 2
        assert local_score(data, "z", score="bic") == pytest.approx(expected)

    def test_ess_reaches_the_engine(self, data):
        found = {local_score(data, "yard", ["wind"], score=BDeu(ess)) for ess in (0.5, 1, 5)}
        assert len(found) == 3
        assert local_score(data, "yard", ["wind"], score="bdeu") in found

    def test_the_order_of_parents_does_not_matter(self, data):
        orders = itertools.permutations(["ants", "wind", "heat"])
        assert len({local_score(data, "yard", order, score="qnml") for order in orders}) == 1

    def test_any_iterable_of_parents(self, data):
        expected = local_score(data, "yard", ["ants", "wind"], score="bic")
        assert local_score(data, "yard", {"wind", "ants"}, score="bic") == expected
        assert (
            local_score(data, "yard", (name for name in ("wind", "ants")), score="bic") == expected
        )

    def test_unknown_names(self, data):
        with pytest.raises(ParameterError, match=r'unknown variable "yrad"; did you mean "yard"\?'):
            local_score(data, "yrad", score="bic")
        with pytest.raises(ParameterError, match=r'unknown variable "ant"; did you mean "ants"\?'):
            local_score(data, "yard", ["ant"], score="bic")

    def test_parents_in_one_string(self, data):
        with pytest.raises(ParameterError) as caught:
            local_score(data, "yard", "ants", score="bic")
        assert str(caught.value) == "parents must be a list of names, got 'ants'"

    def test_its_own_parent(self, data):
        with pytest.raises(ParameterError, match=r'^"yard" cannot be its own parent$'):
            local_score(data, "yard", ["ants", "yard"], score="bic")

    def test_a_parent_listed_twice(self, data):
        with pytest.raises(ParameterError, match=r"^a parent is listed twice$"):
            local_score(data, "yard", ["ants", "wind", "ants"], score="bic")


class TestScore:
    ARCS = (("heat", "ants"), ("ants", "yard"), ("wind", "yard"))

    @pytest.mark.parametrize("kind", KINDS, ids=str)
    def test_it_is_the_sum_of_its_parts(self, data, kind):
        dag = Dag(NAMES, self.ARCS)
        parts = [local_score(data, name, dag.parents(name), score=kind) for name in NAMES]
        assert score(data, dag, score=kind) == pytest.approx(math.fsum(parts), rel=1e-12)

    @pytest.mark.parametrize("kind", KINDS, ids=str)
    def test_every_form_of_a_graph(self, data, kind):
        dag = Dag(NAMES, self.ARCS)
        expected = score(data, dag, score=kind)
        assert score(data, Dag(sorted(NAMES), self.ARCS), score=kind) == expected
        assert score(data, dag.to_networkx(), score=kind) == expected
        assert score(data, list(self.ARCS), score=kind) == expected
        assert score(data, iter(self.ARCS), score=kind) == expected

    @pytest.mark.parametrize("kind", EQUIVALENT, ids=str)
    def test_an_essential_graph_scores_as_its_members(self, data, kind):
        dag = Dag(NAMES, self.ARCS)
        expected = pytest.approx(score(data, dag, score=kind), rel=1e-12)
        assert score(data, dag.to_cpdag(), score=kind) == expected

    @pytest.mark.parametrize("kind", [K2(), FNML()], ids=str)
    def test_an_essential_graph_has_no_score_that_tells_its_members_apart(self, data, kind):
        for asked in (kind, str(kind)):
            with pytest.raises(ParameterError) as caught:
                score(data, Cpdag(NAMES), score=asked)
            assert str(caught.value) == (
                f"{kind} gives equivalent networks different scores, so an essential graph has "
                "none; score a Dag"
            )

    def test_a_list_need_not_mention_every_variable(self, data):
        assert score(data, [], score="bic") == score(data, Dag(NAMES), score="bic")
        assert score(data, [("wind", "yard")], score="bic") == score(
            data, Dag(NAMES, [("wind", "yard")]), score="bic"
        )

    @pytest.mark.parametrize("kind", KINDS, ids=str)
    def test_the_order_of_columns_does_not_matter(self, data, kind):
        """Not even in the last digit."""
        expected = score(data, self.ARCS, score=kind)
        for order in itertools.permutations(NAMES):
            again = data.select(order)
            assert score(again, self.ARCS, score=kind) == expected
            assert score(again, Dag(NAMES, self.ARCS), score=kind) == expected

    def test_one_variable(self):
        data = Data.from_codes(np.array([[0], [1], [1], [1]]), {"only": BINARY})
        assert score(data, Dag(["only"]), score="ll") == pytest.approx(entropy_sum(1, 3))
        assert score(data, [], score="aic") == pytest.approx(entropy_sum(1, 3) - 1)

    def test_unknown_names_in_the_arcs(self, data):
        with pytest.raises(GraphError, match=r'unknown variable "yrad"; did you mean "yard"\?'):
            score(data, [("ants", "yrad")], score="bic")

    def test_variables_that_differ(self, data):
        with pytest.raises(GraphError, match=r'^the graph has a variable "rain" that the data lac'):
            score(data, Dag([*NAMES, "rain"]), score="bic")
        with pytest.raises(GraphError, match=r'^the data have a variable "ants" that the graph la'):
            score(data, nx.DiGraph([("heat", "wind"), ("wind", "yard")]), score="bic")

    def test_what_is_no_network(self, data):
        with pytest.raises(GraphError, match="the arcs form a cycle"):
            score(data, [("ants", "heat"), ("heat", "ants")], score="bic")
        with pytest.raises(GraphError, match="needs a directed graph"):
            score(data, nx.Graph([("ants", "heat")]), score="bic")
        with pytest.raises(GraphError, match="marked directed=False"):
            score(data, Dag(NAMES, [("ants", "heat")]).to_cpdag().to_networkx(), score="bic")
        with pytest.raises(GraphError, match="a graph is a Dag"):
            score(data, None, score="bic")

    def test_unknown_score(self, data):
        with pytest.raises(ParameterError, match='unknown score "bicc"'):
            score(data, [], score="bicc")
        with pytest.raises(ParameterError, match='unknown score "bicc"'):
            local_score(data, "yard", score="bicc")


class TestScorer:
    def test_all_names_of_a_score_share_one(self, data):
        assert scorer(data, "bic") is scorer(data, BIC()) is scorer(data, "mdl")
        assert scorer(data, BDeu(1)) is scorer(data, "bdeu")
        assert scorer(data, BDeu(1)) is not scorer(data, BDeu(2))

    def test_a_set_is_counted_once(self):
        data = two_columns(4)
        local_score(data, "z", ["a"], score="bic")
        counted = scorer(data, "bic").sets_counted
        assert counted > 0
        local_score(data, "z", ["a"], score="bic")
        local_score(data, "a", ["z"], score="bic")  # another difference, with {a, z} in it
        assert scorer(data, "bic").sets_counted == counted + 1

    def test_tables_do_not_share(self):
        assert scorer(two_columns(4), "bic") is not scorer(two_columns(4), "bic")
