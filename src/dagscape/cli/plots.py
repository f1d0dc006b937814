"""Pictures that commands write."""

import io
from pathlib import Path
from typing import Any

import dagscape as ds
from dagscape.cli.confidence import Answer, Models, Question
from dagscape.cli.output import write_bytes
from dagscape.cli.output_files import refuse_unwritable

FORMS = (".svg", ".png", ".pdf")


def is_picture(path: Path) -> bool:
    """Tell whether a file of this name holds a picture."""
    return path.suffix.lower() in FORMS


def refuse_no_picture(path: Path, option: str = "--plot") -> None:
    """Refuse a file that cannot be written, or a picture that cannot be drawn, before the work."""
    refuse_unwritable(path)
    if not is_picture(path):
        raise ds.ParameterError(f'{option} writes {", ".join(FORMS)}, got "{path.name}"')
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError:
        raise ds.ParameterError(
            f'{option} needs matplotlib for "{path.name}", which is not installed: '
            'pip install "dagscape[plot]"'
        ) from None


def save_picture(found: Models, question: Question, answer: Answer, path: Path) -> None:
    """Draw the trade-off of features and write it."""
    from matplotlib.figure import Figure

    with _drawing():
        figure = Figure(figsize=(5.6, 3.8), layout="constrained")
        found.plot(
            "tradeoff",
            kind=question.kind,
            reference=question.reference,
            weights=question.weights,
            threshold=answer.level,
            ax=figure.subplots(),
        )
        _save(figure, path)


def save_blanket(network: ds.Result, target: str, path: Path) -> None:
    """Draw the network around a variable and write it."""
    with _drawing():
        from matplotlib import pyplot

        figure: Any = network.plot(around=target).figure
        try:
            _save(figure, path)
        finally:
            pyplot.close(figure)


def _drawing() -> Any:
    """Return what makes the same data give the same file, with words as words.

    matplotlib takes settings from a file in the current folder, if there is one; these may have it
    run LaTeX or import a module.
    """
    import matplotlib

    settings = {**matplotlib.rcParamsDefault, "backend": "agg"}
    return matplotlib.rc_context(settings | {"svg.hashsalt": "dagscape", "svg.fonttype": "none"})


def _save(figure: Any, path: Path) -> None:
    form = path.suffix.lower().removeprefix(".")
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(form)
    content = io.BytesIO()
    figure.savefig(content, format=form, metadata=undated, dpi=150)
    write_bytes(path, content.getvalue())
