"""Pictures that commands write."""

import io
from pathlib import Path

import dagscape as ds
from dagscape.cli.confidence import Answer, Models, Question
from dagscape.cli.output import write_bytes
from dagscape.cli.targets import refuse_unwritable

FORMS = (".svg", ".png", ".pdf")


def refuse_no_picture(path: Path) -> None:
    """Refuse a file that cannot be written, or a picture that cannot be drawn, before the work."""
    refuse_unwritable(path)
    if path.suffix.lower() not in FORMS:
        raise ds.ParameterError(f'--plot writes {", ".join(FORMS)}, got "{path.name}"')
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError:
        raise ds.ParameterError(
            '--plot needs matplotlib, which is not installed: pip install "dagscape[plot]"'
        ) from None


def save_picture(found: Models, question: Question, answer: Answer, path: Path) -> None:
    """Draw the trade-off of features and write it; the same data give the same file."""
    import matplotlib
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.6, 3.8), layout="constrained")
    with matplotlib.rc_context({"svg.hashsalt": "dagscape", "svg.fonttype": "none"}):
        found.plot(
            "tradeoff",
            kind=question.kind,
            reference=question.reference,
            weights=question.weights,
            threshold=answer.level,
            ax=figure.subplots(),
        )
        form = path.suffix.lower().removeprefix(".")
        undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(form)
        content = io.BytesIO()
        figure.savefig(content, format=form, metadata=undated, dpi=150)
    write_bytes(path, content.getvalue())
