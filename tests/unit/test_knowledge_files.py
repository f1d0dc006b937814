"""Knowledge that is kept in a file."""

import gzip

import pytest

import dagscape as ds


@pytest.fixture
def read(tmp_path):
    """Return what reads knowledge from a text."""

    def call(text):
        path = tmp_path / "known.toml"
        path.write_text(text, "utf-8")
        return ds.read_knowledge(path)

    return call


@pytest.fixture
def refusal(read, tmp_path):
    """Return what a text is refused with."""

    def call(text):
        with pytest.raises(ds.FileFormatError) as caught:
            read(text)
        said = str(caught.value)
        assert said.startswith(f"{tmp_path / 'known.toml'}: ")
        return said

    return call


EVERYTHING = """
# what the doctors say
required = [["A", "B"]]
forbidden = [["C", "A"], ["C", "B"]]
tiers = [
    ["A"],
    ["B", "ä b"],
]

[max_parents]
B = 2
"ä b" = 0
"""


def test_each_key_is_an_argument(read):
    assert read(EVERYTHING) == ds.Knowledge(
        required=[("A", "B")],
        forbidden=[("C", "A"), ("C", "B")],
        tiers=[["A"], ["B", "ä b"]],
        max_parents={"B": 2, "ä b": 0},
    )


def test_every_key_may_be_left_out(read):
    assert read("") == read("tiers = []") == ds.Knowledge()
    assert read("max_parents = {A = 1}") == ds.Knowledge(max_parents={"A": 1})


def test_the_file_may_be_packed(tmp_path):
    path = tmp_path / "known.toml.gz"
    path.write_bytes(gzip.compress(EVERYTHING.encode()))
    assert ds.read_knowledge(path).required == (("A", "B"),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "requried = []",
            'unknown key "requried"; choose required, forbidden, tiers, roots, leaves, max_parents',
        ),
        ("requried = []", 'did you mean "required"?'),
        ("required = [", "not TOML: "),
        ("\n\nrequired = x", "(at line 3, "),
        ("a = 1\na = 2", "not TOML: "),
        ("tiers = " + "[" * 100_000, "brackets nested too deeply"),
        ("tiers = " + "9" * 5000, "known.toml: "),
        ('required = ["A", "B"]', '"required" must be a list of lists of names, such as [["A"'),
        ('required = "AB"', '"required" must be a list of lists of names'),
        ("forbidden = 3", '"forbidden" must be a list of lists of names'),
        ('[tiers]\nfirst = ["A"]', '"tiers" must be a list of lists of names'),
        ('required = [["A", "B", "C"]]', "a required arc must be a pair of two different names"),
        ('required = [["A", 1]]', "a required arc must be a pair of two different names"),
        ('tiers = [["A"], ["A"]]', 'the tiers list "A" twice'),
        ("roots = [[1]]", '"roots" must be a list of names'),
        ("tiers = [[1]]", "a tier must hold names, got 1"),
        ("max_parents = 3", "max_parents must give limits by name"),
        ("max_parents = {A = 1.5}", 'max_parents of "A" must be a whole number from 0, got 1.5'),
        ("max_parents = {A = true}", 'max_parents of "A" must be a whole number'),
        ('required = [["A", "B"]]\nforbidden = [["A", "B"]]', "A -> B is required, but it is forb"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_bad_file_gets_a_sentence(refusal, text, said):
    assert said in refusal(text)


def test_other_files_are_refused(tmp_path):
    with pytest.raises(ds.ParameterError, match="there is no file"):
        ds.read_knowledge(tmp_path / "nowhere.toml")
    (tmp_path / "latin.toml").write_bytes("max_parents = {ä = 1}".encode("latin-1"))
    with pytest.raises(ds.FileFormatError, match="line 1: not UTF-8 text"):
        ds.read_knowledge(tmp_path / "latin.toml")
