"""A result: what it claims, and the file it comes back from."""

import copy
import dataclasses
import gzip
import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagscape as ds
from dagscape.claims import WithoutKnowledge

ABC = ds.Dag("abc", [("a", "c"), ("b", "c")])
FEW = ds.Scope(max_parents=4)
FROM_FILE = ds.Scope(candidates_only=True)
TO_TWO = ds.Scope(candidates_only=True, complete_to=2)
KNOWN = ds.Scope(knowledge=ds.Knowledge(required=[("a", "c")]))


def free(score, optimal=True, scope=None):
    return WithoutKnowledge(score=score, optimal=optimal, scope=scope or ds.Scope())


def result(**values):
    return ds.Result(
        **{"dag": ABC, "score": -100.0, "score_name": "bic", "method": "exact: astar"} | values
    )


def refusal(**values):
    with pytest.raises(ds.ParameterError) as caught:
        result(**values)
    return str(caught.value)


class TestClaim:
    @pytest.mark.parametrize(
        ("values", "claim"),
        [
            ({"optimal": True}, "optimal"),
            ({"optimal": True, "scope": FEW}, "optimal among networks with at most 4 parents"),
            (
                {"optimal": True, "scope": FROM_FILE},
                "optimal among networks built from the candidate parent sets; "
                "networks with other parent sets may score higher",
            ),
            (
                {"optimal": True, "scope": TO_TWO},
                "optimal among networks built from the candidate parent sets, which are complete "
                "up to 2 parents; networks with larger parent sets may score higher",
            ),
            ({"optimal": True, "scope": KNOWN}, "optimal among networks that obey your knowledge"),
            (
                {"optimal": True, "scope": ds.Scope(max_parents=1)},
                "nothing is proven of networks with as many parents as this one (up to 2); "
                "none of the networks with at most 1 parent scores higher",
            ),
            (
                {"bound": -87.7, "scope": ds.Scope(max_parents=1)},
                "nothing is proven of networks with as many parents as this one (up to 2)",
            ),
            ({"bound": 1.0}, "not proven, and the bound is too far off to say more"),
            ({"bound": 0.0}, "not proven: at most 100 below the best possible score"),
            (
                {"bound": 90.0, "scope": TO_TWO},
                "not proven, and the bound is too far off to say more",
            ),
            ({"bound": -87.7}, "not proven: at most 12.3 below the best possible score"),
            (
                {"bound": -87.7, "scope": FEW},
                "not proven: at most 12.3 below the best score of networks with at most 4 parents",
            ),
            (
                {"optimal": True, "scope": KNOWN, "without_knowledge": free(-90.0)},
                "optimal among networks that obey your knowledge; "
                "the best network without it scores 10.00 higher",
            ),
            (
                {"optimal": True, "scope": KNOWN, "without_knowledge": free(-100.0)},
                "optimal among networks that obey your knowledge; "
                "without it no network scores higher",
            ),
            (
                {"optimal": True, "scope": KNOWN, "without_knowledge": free(-99.95, False)},
                "optimal among networks that obey your knowledge; "
                "a network that ignores it scores 0.05 higher",
            ),
            (
                {"optimal": True, "scope": KNOWN, "without_knowledge": free(-90.0, scope=FEW)},
                "optimal among networks that obey your knowledge; "
                "a network that ignores it scores 10.00 higher",
            ),
            (
                {"optimal": True, "scope": KNOWN, "without_knowledge": free(-110.0, False)},
                "optimal among networks that obey your knowledge",
            ),
            ({}, "no bound"),
            ({"scope": FEW}, "no bound"),
            ({"bound": math.inf}, "no bound"),
            ({"bound": -100.0}, "optimal"),
            ({"bound": -100.0, "scope": FEW}, "optimal among networks with at most 4 parents"),
            (
                {"bound": -90.0, "scope": KNOWN},
                "not proven: at most 10 below the best score of networks that obey your knowledge",
            ),
        ],
    )
    def test_it_says_what_is_proven_and_among_what(self, values, claim):
        assert result(**values).claim == claim

    def test_the_bare_word_is_for_all_networks(self):
        scopes = (ds.Scope(), FEW, FROM_FILE, TO_TWO, KNOWN)
        claims = {scope: result(optimal=True, scope=scope).claim for scope in scopes}
        assert [scope for scope, claim in claims.items() if claim == "optimal"] == [ds.Scope()]

    @pytest.mark.slow
    @settings(derandomize=True, deadline=None)
    @given(st.floats(min_value=1e-12, max_value=1e12))
    def test_it_never_claims_a_smaller_gap_than_there_is(self, gap):
        words = result(score=-20 * gap, bound=-19 * gap).claim
        said = float(words.split("at most ")[1].split()[0].replace(",", ""))
        assert gap * (1 - 1e-8) <= said <= gap * 1.011

    @pytest.mark.parametrize(
        ("gap", "words"), [(0.0123, "0.0123"), (0.01231, "0.0124"), (99.44, "99.5")]
    )
    def test_a_gap_has_three_digits(self, gap, words):
        assert f"at most {words} below" in result(score=0.0, bound=gap).claim


class TestBound:
    def test_the_gap_is_what_is_open(self):
        assert result(bound=-90.0).gap == 10.0
        assert result().gap is None
        assert result(bound=math.inf).gap == math.inf
        assert result(optimal=True).gap == 0.0

    def test_a_proven_score_is_its_own_bound(self):
        assert result(optimal=True).bound == -100.0
        assert result(optimal=True, bound=-100.0 + 1e-8).bound == -100.0

    def test_rounding_does_not_put_the_bound_below_the_score(self):
        assert result(bound=-100.0 - 1e-9).bound == -100.0

    def test_a_contradiction_is_refused(self):
        assert refusal(bound=-101.0) == "the bound -101.0 is below the score -100.0"
        assert "cannot be optimal: the bound is -99.0" in refusal(optimal=True, bound=-99.0)

    def test_nothing_can_be_said_of_networks_that_score_nothing(self):
        assert result(score=-math.inf, bound=-5.0).claim == "no bound"
        assert result(score=-math.inf, bound=-math.inf).gap == 0.0


class TestParts:
    def test_the_essential_graph_is_that_of_the_network(self):
        assert result().cpdag == ABC.to_cpdag()

    def test_numbers_become_plain(self):
        made = result(score=np.float32(-2), seed=np.int64(3), work={"n": np.int64(4), "x": np.nan})
        assert (type(made.score), type(made.seed), type(made.work["n"])) == (float, int, int)
        assert made.work["x"] is None

    def test_nothing_can_be_changed(self):
        counters = {"nodes": 5, "stages": {"a": [1, 2]}}
        made = result(work=counters, asked={"k": 1})
        counters["nodes"] = 6
        counters["stages"]["a"].append(3)
        assert made.work == {"nodes": 5, "stages": {"a": (1, 2)}}
        with pytest.raises(TypeError):
            made.work["nodes"] = 6
        with pytest.raises(TypeError):
            made.work["stages"]["a"] = 6
        with pytest.raises(TypeError):
            made.asked["k"] = 2
        with pytest.raises(dataclasses.FrozenInstanceError):
            made.score = 0.0

    def test_equality_is_about_everything(self):
        made = result(work={"nodes": 5}, seconds=1.0)
        assert made == result(work={"nodes": 5}, seconds=1.0)
        assert hash(made) == hash(result(work={"nodes": 6}, seconds=1.0))
        others = [{"work": {"nodes": 6}}, {"seconds": 2.0}, {"dag": ds.Dag("abc")}, {"scope": FEW}]
        assert all(made != dataclasses.replace(made, **other) for other in others)

    def test_it_can_be_copied_and_sent(self):
        made = result(work={"stages": {"a": [1, math.inf]}}, asked={"k": None}, bound=-3.0)
        assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == copy.copy(made) == made

    def test_it_shows_itself_on_a_line_or_two(self):
        text = repr(result(bound=-90.0, seconds=2.04, stopped="time"))
        assert text == (
            "<Result: 3 variables, 2 arcs, bic -100.0000, not proven: at most 10 below the best "
            "possible score (exact: astar; stopped by time after 2.0 s)>"
        )

    @pytest.mark.parametrize(
        ("values", "said"),
        [
            ({"dag": [("a", "b")]}, "dag must be a Dag, got list"),
            ({"score": math.nan}, "score must be a number, got nan"),
            ({"score": True}, "score must be a number, got True"),
            ({"score": 10**400}, "score must be a number"),
            ({"score": math.inf}, "must be finite"),
            ({"bound": math.nan}, "bound must be a number, got nan"),
            ({"bound": "high"}, "bound must be a number, got 'high'"),
            ({"seconds": -1.0}, "must be finite and from 0 up"),
            ({"optimal": 1}, "optimal must be True or False, got 1"),
            ({"scope": "all networks"}, "scope must be a ds.Scope, got 'all networks'"),
            ({"method": None}, "method must be words, got None"),
            ({"stopped": "hunger"}, "stopped must be None or one of time, memory, interrupt"),
            ({"stopped": ["time"]}, "stopped must be None or one of"),
            ({"seed": 1.5}, "seed must be a whole number or None, got 1.5"),
            ({"seed": True}, "seed must be a whole number or None, got True"),
            ({"work": [1]}, "work must be a mapping, got [1]"),
            ({"work": {"a": {1: 2}}}, "work['a'] must have names as keys, got 1"),
            ({"asked": {"a": [{1, 2}]}}, "asked['a'][0] must be a number, words"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, values, said):
        assert said in refusal(**values)


# files


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc"), inner, max_size=3),
    max_leaves=8,
)


class TestFile:
    @pytest.mark.slow
    @settings(derandomize=True, deadline=None)
    @given(
        score=st.floats(allow_nan=False, max_value=1e300),
        above=st.none() | st.floats(min_value=0.0, allow_nan=False),
        work=st.dictionaries(st.text("xyz"), plain, max_size=4),
        asked=st.dictionaries(st.text("xyz"), plain, max_size=4),
        seed=st.none() | st.integers(0, 2**64),
        stopped=st.sampled_from([None, "time", "memory", "interrupt"]),
    )
    def test_it_comes_back_equal(self, tmp_path_factory, score, above, work, asked, seed, stopped):
        bound = None if above is None else max(score, score + above)
        made = result(
            score=score,
            bound=bound,
            work=work,
            asked=asked,
            seed=seed,
            stopped=stopped,
            seconds=0.1,
        )
        path = tmp_path_factory.getbasetemp() / "any.json"
        made.save(path)
        assert ds.load_result(path) == made

    @pytest.mark.parametrize("scope", [FEW, FROM_FILE, TO_TWO, KNOWN])
    def test_the_scope_comes_back(self, tmp_path, scope):
        made = result(optimal=True, scope=scope, without_knowledge=free(-99.5, scope=FEW))
        made.save(tmp_path / "r.json")
        assert ds.load_result(tmp_path / "r.json") == made

    @pytest.mark.parametrize("bound", [None, math.inf, -99.0])
    def test_a_bound_may_be_missing_or_infinite(self, tmp_path, bound):
        made = result(bound=bound, scope=FEW)
        made.save(tmp_path / "r.json")
        back = ds.load_result(tmp_path / "r.json")
        assert back == made
        assert (back.bound, back.claim) == (bound, made.claim)

    def test_it_is_json_for_everybody(self, tmp_path):
        made = result(bound=math.inf, work={"nodes": 5}, seed=7)
        made.save(tmp_path / "r.json")
        text = (tmp_path / "r.json").read_text("utf-8")
        content = json.loads(text, parse_constant=pytest.fail)
        assert content == made.to_dict()
        assert content["dagscape"] == ds.__version__
        assert (content["kind"], content["claim"]) == ("result", "no bound")
        assert content["variables"] == ["a", "b", "c"]
        assert content["arcs"] == [["a", "c"], ["b", "c"]]
        assert content["bound"] == {"number": "inf"}
        assert len(text.splitlines()) == len(content) + 2

    def test_names_may_be_odd_and_the_order_of_variables_stays(self, tmp_path):
        dag = ds.Dag(["z ", "ä\n", '"'], [('"', "z ")])
        result(dag=dag).save(tmp_path / "r.json")
        back = ds.load_result(tmp_path / "r.json").dag
        assert (back.names, back.arcs) == (dag.names, dag.arcs)

    def test_it_may_be_packed(self, tmp_path):
        result().save(tmp_path / "r.json.gz")
        assert json.loads(gzip.decompress((tmp_path / "r.json.gz").read_bytes()))["seed"] is None
        assert ds.load_result(tmp_path / "r.json.gz") == result()

    def test_a_file_that_cannot_be_written_leaves_the_old_one(self, tmp_path):
        path = tmp_path / "r.json"
        result().save(path)
        with pytest.raises(ds.ParameterError, match="half a character"):
            result(dag=ds.Dag(["\ud800"])).save(path)
        assert ds.load_result(path) == result()
        assert list(tmp_path.iterdir()) == [path]

    def test_the_version_that_ran_is_kept(self, tmp_path):
        result(version="0.0.7").save(tmp_path / "r.json")
        assert ds.load_result(tmp_path / "r.json").version == "0.0.7"


class TestBadFile:
    @pytest.fixture
    def load(self, tmp_path):
        """Return what saves a result, changes fields of its file and loads it: the complaint."""

        def call(text=None, without=(), **changes):
            content = result(optimal=True, scope=FEW).to_dict() | changes
            for name in without:
                del content[name]
            path = tmp_path / "r.json"
            path.write_text(json.dumps(content) if text is None else text, "utf-8")
            with pytest.raises(ds.FileFormatError) as caught:
                ds.load_result(path)
            said = str(caught.value)
            assert said.startswith(str(path))
            return said.removeprefix(str(path))

        return call

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"kind": "landscape"}, ': not a saved result: "kind" must be "result"'),
            ({"extra": 1}, ': unknown field "extra"'),
            ({"arcs": [["a", "b"], ["b", "a"]]}, ": the arcs form a cycle: b -> a -> b"),
            ({"arcs": [["a", "x"]]}, 'unknown variable "x"'),
            ({"arcs": [["a"]]}, "an arc must be a pair"),
            ({"arcs": None}, ': "arcs" must be a list, got None'),
            ({"variables": "abc"}, ": \"variables\" must be a list, got 'abc'"),
            ({"variables": ["a", "a", "b", "c"]}, 'the name "a" is given to more than one'),
            ({"variables": ["a", "b", "c", 4]}, "variable names must be strings, got 4"),
            ({"score": None}, ": score must be a number, got None"),
            ({"score": "-100"}, ": score must be a number, got '-100'"),
            ({"bound": -90.0}, "cannot be optimal"),
            ({"scope": None}, ": a scope must have max_parents, candidates_only"),
            ({"scope": {"max_parents": 4}}, ': the scope has no "candidates_only"'),
            ({"without_knowledge": {"score": 1.0}}, "must have score, optimal and scope"),
            ({"without_knowledge": 3}, "must have score, optimal and scope"),
            ({"scope": "some networks"}, "a scope must have max_parents"),
            ({"dagscape": 1}, ": version must be words, got 1"),
            ({"work": []}, ": work must be a mapping, got []"),
            ({"stopped": {}}, ": stopped must be None or one of"),
        ],
    )
    def test_a_wrong_field_is_named(self, load, changes, said):
        assert said in load(**changes)

    def test_every_field_is_needed(self, load):
        fields = set(result().to_dict()) - {"claim", "kind"}
        assert "scope" in fields  # without it, a proof would claim too much
        for name in fields:
            assert load(without=[name]) == f': the field "{name}" is missing'

    def test_the_claim_is_not_taken_from_the_file(self, tmp_path):
        content = result(optimal=True, scope=FEW).to_dict() | {"claim": "optimal"}
        (tmp_path / "r.json").write_text(json.dumps(content))
        assert ds.load_result(tmp_path / "r.json").claim == f"optimal among {FEW!s}"

    def test_a_newer_version_is_the_reason_for_an_unknown_field(self, load):
        hint = f"; dagscape 99.1 wrote the file and this is {ds.__version__}: update dagscape"
        assert load(extra=1, dagscape="99.1") == f': unknown field "extra"{hint}'
        assert load(extra=1, dagscape="0.0.1") == ': unknown field "extra"'

    @pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
    def test_only_numbers_of_json_are_read(self, load, word):
        text = json.dumps(result().to_dict()).replace("-100.0", word)
        assert load(text) == f": {word} is not a JSON number"

    def test_a_number_beyond_all_is_refused(self, load):
        assert "must be finite" in load(json.dumps(result().to_dict()).replace("-100.0", "1e999"))
        assert ": " in load(json.dumps(result().to_dict()).replace("-100.0", "9" * 5000))

    @pytest.mark.parametrize("kept", [0, 1, 30, 200])
    def test_a_part_of_a_file_is_no_result(self, load, kept):
        said = load(json.dumps(result().to_dict(), indent=1)[:kept])
        assert ": not JSON: " in said
        assert said.endswith("; the file seems to be cut off")

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("[]", ": not a saved result"),
            ("3", ": not a saved result"),
            ('{"number": "inf"}', ": not a saved result"),
            ('{"kind": "result" "a"}', ", line 1: not JSON: "),
            ("[" * 100_000, ": brackets nested too deeply"),
        ],
        ids=lambda value: str(value)[:20],
    )
    def test_other_files_are_told_apart(self, load, text, said):
        assert said in load(text)

    def test_a_file_that_is_not_there_gets_a_hint(self, tmp_path):
        result().save(tmp_path / "result.json")
        with pytest.raises(ds.ParameterError, match=r'did you mean "result\.json"'):
            ds.load_result(tmp_path / "reslt.json")
