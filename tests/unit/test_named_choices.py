"""Choices that tell themselves as data and in words: scores, and a toy of what else may come."""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass

import pytest

import dagscape as ds
from dagscape.scores import as_score, score_from_dict
from dagscape.scores.named_choices import NamedChoice, Registry

SCORES = [ds.BIC(), ds.AIC(), ds.LogLikelihood(), ds.BDeu(), ds.K2(), ds.QNML(), ds.FNML()]
SCORES += [ds.FittedDirichlet()]
SCORES += [ds.BDeu(ess=value) for value in (10, 0.1, 1 / 3, 1e-7, 123456789.125)]

PRIORS: Registry[Prior] = Registry("prior")


class Prior(NamedChoice):
    """What a prior could look like: the same base, a registry of its own."""


@PRIORS.add
@dataclass(frozen=True)
class Uniform(Prior):
    names = ("uniform", "flat")


@PRIORS.add
@dataclass(frozen=True)
class Edges(Prior):
    neighbors: float = 2.0
    most: int = 5
    shape: str = "geometric"
    fair: bool = False
    names = ("edges",)


class TestScores:
    @pytest.mark.parametrize("score", SCORES, ids=str)
    def test_data_and_words_give_the_score_back(self, score):
        assert score_from_dict(json.loads(json.dumps(score.to_dict()))) == score
        assert as_score(str(score)) == score
        assert ds.SCORES.known(str(score)) == score
        assert pickle.loads(pickle.dumps(score)) == score

    def test_what_it_tells(self):
        assert ds.BDeu(ess=10).to_dict() == {"name": "bdeu", "ess": 10.0}
        assert ds.BIC().to_dict() == {"name": "bic"}
        assert (str(ds.BDeu(ess=10)), str(ds.BIC())) == ("bdeu(ess=10)", "bic")
        assert str(ds.BDeu(ess=0.1234567)) == "bdeu(ess=0.1234567)"  # all digits

    def test_words_may_be_written_freely(self):
        for words in ("BDeu", "bdeu()", " bdeu ( ess = 1.0 ) ", "bdeu(ess=1)"):
            assert as_score(words) == ds.BDeu()
            assert ds.local_score(_table(), "a", score=words) == ds.local_score(
                _table(), "a", score=ds.BDeu()
            )
        assert as_score("mdl") == ds.BIC()

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ("bdue", 'unknown score "bdue"; did you mean "bdeu"?'),
            ("xyz", 'unknown score "xyz"; choose bic, mdl, aic, '),
            ("bic(ess=3)", 'the score bic has no parameter "ess"; it has none'),
            ("bdeu(size=3)", 'the score bdeu has no parameter "size"; it has ess'),
            ("bdeu(3)", 'parameters of bdeu are written name=value, got "3"'),
            ("bdeu(ess=three)", 'ess must be a number, got "three"'),
            ("bdeu(ess=-1)", "ess must be a positive number, got -1.0"),
            ("bdeu(ess=inf)", "ess must be a positive number, got inf"),
            ("bdeu(ess=1", 'unknown score "bdeu(ess=1"'),
            ("", 'unknown score ""; choose bic'),
        ],
    )
    def test_wrong_words_get_a_sentence(self, words, said):
        with pytest.raises(ds.ParameterError) as error:
            as_score(words)
        assert said in str(error.value)

    @pytest.mark.parametrize(
        ("values", "said"),
        [
            ({"name": "bdue"}, 'unknown score "bdue"'),
            ({"name": "bdeu", "size": 3}, 'has no parameter "size"'),
            ({"name": "bdeu", "ess": "3"}, "ess must be a positive number, got '3'"),
            ({"name": "bdeu", "ess": 10**400}, "ess must be a positive number"),
            ({"name": 3}, "a score as data is"),
            ({"ess": 3}, "a score as data is"),
            ("bdeu", "a score as data is"),
            (None, "a score as data is"),
        ],
    )
    def test_wrong_data_get_a_sentence(self, values, said):
        with pytest.raises(ds.ParameterError, match=said):
            score_from_dict(values)

    @pytest.mark.parametrize(
        "words", ["BIC", "bic ", "K2 by somebody", "unknown score", "bdeu", "bdeu(ess=x)", "", "("]
    )
    def test_words_of_others_are_nobodys(self, words):
        assert ds.SCORES.known(words) is None


class TestRegistries:
    def test_a_prior_can_do_the_same(self):
        assert PRIORS.from_words("flat") == Uniform()
        asked = PRIORS.from_words("edges(neighbors=3, most=4, shape=poisson, fair=true)")
        assert asked == Edges(3.0, 4, "poisson", True)
        assert PRIORS.from_words(str(asked)) == asked
        assert PRIORS.from_dict(json.loads(json.dumps(asked.to_dict()))) == asked
        assert PRIORS.changed(asked, most=9) == Edges(3.0, 9, "poisson", True)
        assert PRIORS.with_parameter("most") == ["edges"]
        with pytest.raises(ds.ParameterError, match='unknown prior "bic"'):
            PRIORS.from_words("bic")
        with pytest.raises(ds.ParameterError, match='fair must be true or false, got "perhaps"'):
            PRIORS.from_words("edges(fair=perhaps)")

    def test_it_is_a_mapping_of_all_names(self):
        assert dict(PRIORS) == {"uniform": Uniform, "flat": Uniform, "edges": Edges}
        assert ds.SCORES["mdl"] is ds.BIC

    def test_mistakes_of_programmers_are_told_at_once(self):
        @dataclass(frozen=True)
        class Bare(Prior):
            strength: float
            names = ("bare",)

        @dataclass(frozen=True)
        class Again(Prior):
            names = ("again", "flat")

        @dataclass(frozen=True)
        class Nameless(Prior):
            pass

        for kind, said in (
            (Bare, "Bare.strength must have a default"),
            (Again, 'a prior of the name "flat" already'),
            (Nameless, "Nameless must be a dataclass that has names"),
        ):
            with pytest.raises(TypeError, match=said):
                PRIORS.add(kind)
        assert "again" not in PRIORS


def _table():
    return ds.Data({"a": ["x", "y", "x"] * 7, "b": ["u", "v", "v"] * 7})
