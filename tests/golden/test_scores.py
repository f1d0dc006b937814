"""Local scores against values from independent programs."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dagscape as ds
from data_sets import data_set
from golden.cases import Case, read_bnlearn_scores, read_counts

# The names of the columns of bnlearn's csv, and of the scores they are.
BNLEARN = {
    "loglik": ds.LogLikelihood(),
    "aic": ds.AIC(),
    "bic": ds.BIC(),
    "bdeu1": ds.BDeu(ess=1.0),
    "bdeu10": ds.BDeu(ess=10.0),
    "k2": ds.K2(),
}
NML = {"qnml": ds.QNML(), "fnml": ds.FNML()}

# bnlearn's alarm frame has shortened names; the data files have those of the network.
ALARM = {
    "ANES": "INSUFFANESTH",
    "DISC": "DISCONNECT",
    "ECO2": "EXPCO2",
    "ERLO": "ERRLOWOUTPUT",
    "HIST": "HISTORY",
    "HREK": "HREKG",
    "HYP": "HYPOVOLEMIA",
    "INT": "INTUBATION",
    "KINK": "KINKEDTUBE",
    "MVS": "MINVOLSET",
    "PMB": "PULMEMBOLUS",
    "SHNT": "SHUNT",
    "STKV": "STROKEVOLUME",
}

COUNTED = read_counts("bnlearn_counts.json")
NML_COUNTED = read_counts("nml_counts.json")
FROM_FILES = read_bnlearn_scores()


def table(case: Case) -> ds.Data:
    return ds.Data.from_codes(np.array(case.codes()), case.states)


@pytest.mark.parametrize("case", COUNTED, ids=str)
def test_bnlearn_counts(case: Case) -> None:
    data = table(case)
    found = {
        name: ds.local_score(data, case.child, case.parents, score=BNLEARN[name])
        for name in case.values
    }
    # The values have ten decimals; some are 0.
    assert found == pytest.approx(case.values, rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("case", NML_COUNTED, ids=str)
def test_nml_counts(case: Case) -> None:
    data = table(case)
    for name, bits in case.bits.items():
        found = ds.local_score(data, case.child, case.parents, score=NML[name])
        assert found / math.log(2) == pytest.approx(bits, rel=0, abs=6e-4)  # three decimals given
    for name, probability in case.fractions.items():
        found = ds.local_score(data, case.child, case.parents, score=NML[name])
        assert found == pytest.approx(math.log(probability), rel=1e-12)


def column(dataset: str, name: str) -> str:
    """Return the name that bnlearn's variable has in the data file."""
    if dataset == "alarm":
        return ALARM.get(name, name)
    return name.replace(". ", "_") if dataset == "coronary" else name


@pytest.mark.parametrize("dataset", FROM_FILES)
def test_bnlearn_files(dataset: str) -> None:
    whole = ds.read_data(data_set("bnlearn") / f"{dataset}.csv.gz")
    expected, found = {}, {}
    for (rows, child, parents), values in FROM_FILES[dataset].items():
        data = whole.head(rows)  # keeps the states of the whole table, as bnlearn's factors do
        for name, value in values.items():
            family = f"{name} of {child}|{','.join(parents)}, {rows} rows"
            named = [column(dataset, parent) for parent in parents]
            expected[family] = value
            found[family] = ds.local_score(data, column(dataset, child), named, score=BNLEARN[name])
    assert found == pytest.approx(expected, rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("dataset", sorted({case.dataset for case in COUNTED}))
def test_counts_are_those_of_the_files(dataset: str) -> None:
    whole = ds.read_data(data_set("bnlearn") / f"{dataset}.csv.gz")
    for case in (case for case in COUNTED if case.dataset == dataset):
        data = whole.head(case.rows)
        named = [column(dataset, name) for name in case.states]
        assert [list(data.states[name]) for name in named] == list(case.states.values())
        columns = data.codes[:, [data.names.index(name) for name in named]]
        assert sorted(columns.tolist()) == case.codes()
