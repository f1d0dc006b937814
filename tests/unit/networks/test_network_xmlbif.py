import pytest

from dagscape.errors import FileFormatError, ParameterError
from dagscape.graphs import Dag
from dagscape.networks import Network, load_network
from dagscape.networks.network_parts import NetworkParts
from dagscape.networks.xmlbif import format_xmlbif, parse_xmlbif, read_xmlbif, write_xmlbif
from drawn import drawn
from unit.networks.network_cases import networks, same, texts

CONTROL = "".join(map(chr, range(32))).translate({9: None, 10: None, 13: None}) + "\ufffe\uffff"

DOG = """<?xml version="1.0" encoding="US-ASCII"?>
<!DOCTYPE BIF [ <!ELEMENT BIF ( NETWORK )*> <!ATTLIST BIF VERSION CDATA #REQUIRED> ]>
<BIF VERSION="0.3">
<NETWORK>
<NAME>Dog-Problem</NAME>
<!-- definitions may come before variables -->
<DEFINITION>
  <FOR>dog-out</FOR> <GIVEN>bowel-problem</GIVEN> <GIVEN> family-out </GIVEN>
  <TABLE>0.99 0.01 <!-- family in --> .97 3e-2
         0.9 0.1 0.3 0.7 </TABLE>
</DEFINITION>
<VARIABLE TYPE="nature">
  <NAME>bowel-problem</NAME> <OUTCOME>true</OUTCOME> <OUTCOME>false</OUTCOME>
  <PROPERTY>position = (335.99, 99.28)</PROPERTY>
</VARIABLE>
<VARIABLE><NAME>family-out</NAME><OUTCOME>true</OUTCOME><OUTCOME>false</OUTCOME></VARIABLE>
<VARIABLE><NAME>dog-out</NAME><OUTCOME>true</OUTCOME><OUTCOME>false</OUTCOME></VARIABLE>
<DEFINITION><FOR>bowel-problem</FOR><TABLE>0.01 0.99</TABLE></DEFINITION>
<DEFINITION><FOR>family-out</FOR><TABLE>0.15 0.85</TABLE></DEFINITION>
</NETWORK>
</BIF>
"""


def test_the_child_varies_fastest_and_the_first_parent_slowest():
    net = parse_xmlbif(DOG.encode(), "dog").network("dog")
    assert net.name == "Dog-Problem"
    assert net.names == ("bowel-problem", "family-out", "dog-out")
    assert net.table("family-out").tolist() == [0.15, 0.85]
    assert net.table("dog-out").tolist() == [[[0.99, 0.01], [0.97, 0.03]], [[0.9, 0.1], [0.3, 0.7]]]


@pytest.mark.slow
@drawn(networks(words=texts(exclude=CONTROL)), usual=80, long=300)
def test_round_trip_of_any_names(net):
    content = format_xmlbif(NetworkParts.of(net)).encode()
    assert same(net, parse_xmlbif(content, "x").network("x"))


def test_parents_in_another_order():
    swapped = DOG.replace("<GIVEN>bowel-problem</GIVEN> <GIVEN> family-out </GIVEN>", "@").replace(
        "@", "<GIVEN>family-out</GIVEN><GIVEN>bowel-problem</GIVEN>"
    )
    net = parse_xmlbif(swapped.encode(), "dog").network("dog")
    assert net.table("dog-out").tolist() == [[[0.99, 0.01], [0.9, 0.1]], [[0.97, 0.03], [0.3, 0.7]]]


def test_files(tmp_path):
    net = load_network("insurance")
    for name in ("i.xml", "i.xmlbif.gz"):
        write_xmlbif(net, tmp_path / name)
        assert same(read_xmlbif(tmp_path / name), net)


def test_a_label_that_xml_has_no_character_for(tmp_path):
    net = Network(Dag(["A"]), {"A": ["x\x00", "y"]}, {"A": [0.5, 0.5]})
    with pytest.raises(ParameterError) as error:
        write_xmlbif(net, tmp_path / "x.xml")
    assert str(error.value) == (
        "'x\\x00' cannot be written as XML, which has no character '\\x00'; use .json or .bif"
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">',
        '<!ENTITY a SYSTEM "secret.txt">',
        '<!ENTITY % a SYSTEM "secret.dtd"> %a;',
    ],
)
def test_entities_are_refused(tmp_path, declaration):
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "secret.dtd").write_text('<!ENTITY b "secret">')
    path = tmp_path / "x.xml"
    path.write_text(DOG.replace("<!ELEMENT BIF ( NETWORK )*>", declaration))
    with pytest.raises(FileFormatError, match=r'line 2: the document declares the entity "a"'):
        read_xmlbif(path)


@pytest.mark.parametrize(
    "head",
    [
        '<!DOCTYPE BIF SYSTEM "no-such.dtd">',
        '<?xml version="1.0" standalone="no"?><!DOCTYPE BIF PUBLIC "a" "no-such.dtd">',
        '\ufeff<?xml version="1.0" encoding="UTF-8" ?><!DOCTYPE BIF SYSTEM "no-such.dtd">',
        "",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le"])
def test_a_letter_that_is_not_declared_is_not_left_out(tmp_path, head, encoding):
    path = tmp_path / "dog.xml"
    text = head + DOG[DOG.index("<BIF") :]
    if encoding != "utf-8":
        text = text.removeprefix("\ufeff")
    path.write_bytes(text.encode(encoding))
    assert read_xmlbif(path).states["dog-out"] == ("true", "false")
    path.write_bytes(text.replace("<OUTCOME>true", "<OUTCOME>M&uuml;ller").encode(encoding))
    with pytest.raises(FileFormatError, match=r"&uuml; is not declared; write the character"):
        read_xmlbif(path)


def test_latin_letters_are_read_as_declared(tmp_path):
    path = tmp_path / "dog.xml"
    text = DOG.replace("US-ASCII", "ISO-8859-1").replace("<OUTCOME>true", "<OUTCOME>größer")
    path.write_bytes(text.encode("latin-1"))
    assert read_xmlbif(path).states["dog-out"] == ("größer", "false")


def test_an_external_dtd_is_not_opened(tmp_path):
    path = tmp_path / "x.xml"
    path.write_text('<!DOCTYPE BIF SYSTEM "no-such.dtd">\n' + DOG[DOG.index("<BIF") :])
    assert read_xmlbif(path).n_parameters == 6


VARIABLE = "<VARIABLE><NAME>A</NAME><OUTCOME>a</OUTCOME><OUTCOME>b</OUTCOME></VARIABLE>"
GOOD = "<DEFINITION><FOR>A</FOR><TABLE>.5 .5</TABLE></DEFINITION>"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("<VARIABLE></VARIABLE>", "a VARIABLE must have one NAME"),
        (VARIABLE + VARIABLE, 'variable "A" is declared twice'),
        (
            VARIABLE.replace("<V", '<V TYPE="x"').replace('V TYPE="x"ARIABLE', 'VARIABLE TYPE="x"'),
            'variable "A" is of type "x"; only "nature" is read',
        ),
        ("<VARIABLE><NAME>A</NAME></VARIABLE>", 'variable "A" has no OUTCOME'),
        (VARIABLE, 'variable "A" has no DEFINITION'),
        (VARIABLE + "<DEFINITION/>", "a DEFINITION must have one FOR"),
        (VARIABLE + GOOD + GOOD, 'variable "A" has more than one DEFINITION'),
        (VARIABLE + GOOD.replace("A<", "B<"), '"B" is not declared'),
        (
            VARIABLE + GOOD.replace("<TABLE>", "<GIVEN>A</GIVEN><TABLE>"),
            'a variable is named twice where "A" is defined',
        ),
        (
            VARIABLE + "<DEFINITION><FOR>A</FOR></DEFINITION>",
            'the DEFINITION of "A" must have one TABLE',
        ),
        (VARIABLE + GOOD.replace(".5 .5", ".5 x"), 'the table of "A" must hold numbers only'),
        (VARIABLE + GOOD.replace(".5 .5", "1"), 'the table of "A" must have 2 numbers, got 1'),
        (
            VARIABLE + GOOD.replace(".5 .5", ".5 .4"),
            'the probabilities of "A" must sum to 1, got 0.9',
        ),
        ("<oops>", "not XML: mismatched tag"),
    ],
)
def test_a_bad_file_is_named_with_its_line(tmp_path, body, message):
    path = tmp_path / "bad.xml"
    path.write_text(f"<BIF>\n<NETWORK>\n{body}</NETWORK></BIF>")
    with pytest.raises(FileFormatError) as error:
        read_xmlbif(path)
    assert str(error.value) == f"{path}, line 3: {message}"


def test_another_kind_of_document(tmp_path):
    path = tmp_path / "bad.xml"
    path.write_text("<html></html>")
    with pytest.raises(FileFormatError, match='line 1: expected the element "BIF", found "HTML"'):
        read_xmlbif(path)
    path.write_text("<BIF></BIF>")
    with pytest.raises(FileFormatError, match='expected an element "NETWORK"'):
        read_xmlbif(path)
