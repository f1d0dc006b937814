"""The networks that a claim is about: as data, in words, and in files old and new."""

import json
import pickle

import pytest

import dagscape as ds

KNOWN = ds.Knowledge(
    required=[("smoke", "lung")],
    forbidden=[("xray", "asia")],
    tiers=[["smoke"], ["lung", "xray"]],
    max_parents={"dysp": 2},
)


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia").sample(500, seed=1)


class TestWords:
    @pytest.mark.parametrize(
        ("parts", "words"),
        [
            ({}, "all networks"),
            ({"max_parents": 1}, "networks with at most 1 parent"),
            ({"max_parents": 4}, "networks with at most 4 parents"),
            ({"knowledge": KNOWN}, "networks that obey your knowledge"),
            (
                {"knowledge": KNOWN, "max_parents": 3},
                "networks that obey your knowledge and have at most 3 parents",
            ),
            ({"candidates_only": True}, "networks built from the candidate parent sets"),
            (
                {"candidates_only": True, "complete_to": 2},
                "networks built from the candidate parent sets, which are complete up to 2 parents",
            ),
            (
                {"candidates_only": True, "knowledge": KNOWN},
                "networks that obey your knowledge and are built from the candidate parent sets",
            ),
        ],
    )
    def test_they_name_the_networks(self, parts, words):
        assert str(ds.Scope(**parts)) == words

    def test_knowledge_that_says_nothing_is_none(self):
        assert ds.Scope(knowledge=ds.Knowledge()) == ds.Scope()
        assert ds.Scope(knowledge=ds.Knowledge()).everything


class TestData:
    @pytest.mark.parametrize(
        "scope",
        [
            ds.Scope(),
            ds.Scope(max_parents=3, knowledge=KNOWN),
            ds.Scope(candidates_only=True, complete_to=2),
        ],
    )
    def test_it_comes_back(self, scope):
        plain = json.loads(json.dumps(scope.to_dict()))
        assert ds.Scope.from_dict(plain) == scope
        assert pickle.loads(pickle.dumps(scope)) == scope
        assert hash(ds.Scope.from_dict(plain)) == hash(scope)

    @pytest.mark.parametrize(
        ("parts", "said"),
        [
            ({"max_parents": -1}, "max_parents of a scope must be None or a whole number from 0"),
            ({"max_parents": True}, "max_parents of a scope must be"),
            ({"candidates_only": 1}, "candidates_only must be True or False, got 1"),
            ({"complete_to": 2}, "complete_to is for a scope of candidates only"),
            ({"knowledge": "tiers"}, "knowledge must be a ds.Knowledge, got 'tiers'"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, parts, said):
        with pytest.raises(ds.ParameterError, match=said):
            ds.Scope(**parts)

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"knowledge": {"required": []}}, "must have required, forbidden, tiers, max_parents"),
            ({"knowledge": KNOWN.to_dict() | {"tiers": "ab"}}, "tiers must be a list"),
            ({"knowledge": KNOWN.to_dict() | {"max_parents": 2}}, "must give limits by name"),
            ({"prior": "fair"}, 'unknown part "prior"'),
        ],
    )
    def test_bad_values_are_refused(self, changes, said):
        with pytest.raises(ds.ParameterError, match=said):
            ds.Scope.from_dict(ds.Scope().to_dict() | changes)


class TestOfCandidateParents:
    def test_knowledge_of_the_selection_is_part_of_the_claim(self, asia):
        parents = ds.candidate_parents(asia, score="bic", knowledge=KNOWN)
        assert parents.exhaustive
        result = ds.exact(parents)
        assert result.scope == ds.Scope(knowledge=KNOWN)
        assert result.claim == "optimal among networks that obey your knowledge"
        assert ds.order_search(parents).scope == ds.Scope(knowledge=KNOWN)

    def test_knowledge_given_later_is_added(self, asia):
        before = ds.Knowledge(required=[("smoke", "lung")], tiers=[["smoke"], ["lung"]])
        later = ds.Knowledge(tiers=[["lung", "smoke"], ["dysp"]], max_parents={"dysp": 1})
        result = ds.exact(
            ds.candidate_parents(asia, score="bic", knowledge=before), knowledge=later
        )
        obeyed = result.scope.knowledge
        assert obeyed == before.also(later)
        assert not obeyed.violations(result.dag)
        assert not obeyed.allows("dysp", "smoke")
        assert not obeyed.allows("lung", "smoke")
        assert obeyed.max_parents == {"dysp": 1}

    def test_a_limit_of_the_selection_is_part_of_the_claim(self, asia):
        result = ds.exact(ds.candidate_parents(asia, score="bic", max_parents=1))
        assert result.scope == ds.Scope(max_parents=1)

    def test_how_far_they_go_is_said_with_the_knowledge(self, asia):
        assert ", exhaustive under knowledge>" in repr(
            ds.candidate_parents(asia, score="bic", knowledge=KNOWN)
        )
        few = ds.candidate_parents(asia, score="aic", max_parents=1)
        assert repr(few).endswith(", exhaustive to 1 parent>")

    def test_a_file_does_not_say_what_it_holds(self, asia, tmp_path):
        ds.candidate_parents(asia, score="bic", knowledge=KNOWN).write(tmp_path / "sets.jkl")
        assert ds.read_parents(tmp_path / "sets.jkl").scope == ds.Scope(candidates_only=True)


class TestOfSearches:
    @pytest.mark.parametrize(
        "search",
        [
            ds.exact,
            ds.order_search,
            ds.hill_climb,
            ds.mmhc,
            ds.sll_g,
            lambda data, **options: ds.order_search(data, parent_sets="grown", **options),
            lambda data, **options: ds.learn(data, runs=0, resamples=0, **options),
        ],
    )
    def test_they_say_what_they_obeyed(self, asia, search):
        result = search(asia, knowledge=KNOWN)
        assert result.scope.knowledge == KNOWN
        assert not KNOWN.violations(result.dag)
        if result.optimal:
            assert "that obey your knowledge" in result.claim
        assert result.claim != "optimal"
