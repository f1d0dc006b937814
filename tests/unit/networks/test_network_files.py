import gzip
import os
import stat

import pytest

from dagscape.errors import FileFormatError, ParameterError
from dagscape.files.text import write_text
from dagscape.networks import load_network, read_network
from unit.networks.network_cases import same

ENDINGS = [".bif", ".BIF", ".bif.gz", ".xmlbif", ".xml", ".xml.gz", ".json", ".json.gz"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_ending_chooses_the_format(tmp_path, ending):
    net = load_network("asia")
    path = tmp_path / f"v1.2 asia{ending}"
    net.write(path)
    assert same(read_network(path), net)
    assert same(read_network(str(path)), net)
    raw = path.read_bytes()
    content = gzip.decompress(raw) if ending.endswith(".gz") else raw
    start = {"b": b"network asia", "x": b"<?xml", "j": b'{"format"'}[ending[1].lower()]
    assert content.startswith(start)


@pytest.mark.parametrize("name", ["net", "net.txt", "net.gz", "net.txt.gz", ".bif"])
def test_an_unknown_ending(tmp_path, name):
    for use in (read_network, lambda path: load_network("asia").write(path)):
        with pytest.raises(ParameterError) as error:
            use(tmp_path / name)
        assert str(error.value) == (
            f'"{tmp_path / name}" has no ending of a network file; choose .bif, .xmlbif, '
            ".bifxml, .xml, .json, .xdsl, .net, .r (.gz may follow all but .net and .r)"
        )
    assert not list(tmp_path.iterdir())


def test_no_gzip_for_foreign_formats(tmp_path):
    with pytest.raises(ParameterError, match=r"\.net files are not read or written as \.gz"):
        read_network(tmp_path / "x.net.gz")


@pytest.mark.parametrize("ending", [".bif", ".xml", ".json"])
def test_files_that_cannot_be_read(tmp_path, ending):
    (tmp_path / f"alarm{ending}").mkdir()
    with pytest.raises(ParameterError) as error:
        read_network(tmp_path / f"alrm{ending}")
    assert str(error.value) == (
        f'there is no file "{tmp_path}/alrm{ending}"; did you mean "alarm{ending}"?'
    )
    with pytest.raises(ParameterError, match="is a folder; name a file in it"):
        read_network(tmp_path / f"alarm{ending}")
    with pytest.raises(ParameterError, match="there is no file"):
        read_network(tmp_path / "none" / f"alarm{ending}")
    packed = tmp_path / f"x{ending}.gz"
    for content in (b"plain text", gzip.compress(b"a" * 1000)[:-9]):
        packed.write_bytes(content)
        with pytest.raises(FileFormatError, match=r"ends in \.gz but is not a complete gzip file"):
            read_network(packed)


def test_text_that_is_not_utf8(tmp_path):
    path = tmp_path / "x.bif"
    path.write_bytes("network x {\n}\nvariable Ärger".encode("latin-1"))
    with pytest.raises(FileFormatError) as error:
        read_network(path)
    assert str(error.value) == f"{path}, line 3: not UTF-8 text; save it as UTF-8"


def test_a_byte_order_mark_is_no_fault(tmp_path):
    net = load_network("cancer")
    for ending in (".bif", ".xml", ".json"):
        path = tmp_path / f"x{ending}"
        net.write(path)
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
        assert same(read_network(path), net)


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "x.bif"
    load_network("asia").write(path)

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(ParameterError, match="cannot be written: No space left on device"):
        load_network("alarm").write(path)
    monkeypatch.undo()
    assert same(read_network(path), load_network("asia"))
    assert [p.name for p in tmp_path.iterdir()] == ["x.bif"]


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(ParameterError, match="cannot be written: No such file or directory"):
        load_network("asia").write(tmp_path / "none" / "x.bif")


def test_a_written_file_has_the_usual_rights(tmp_path):
    (tmp_path / "usual").touch()
    write_text(tmp_path / "x.bif", "text")
    usual, ours = (stat.S_IMODE((tmp_path / n).stat().st_mode) for n in ("usual", "x.bif"))
    assert ours == usual
