"""How the documentation is built: ``make docs``. Nothing is fetched from anywhere."""

import sys
from collections.abc import Callable
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "dagscape"
author = "The dagscape authors"
project_copyright = author
version = release = installed_version("dagscape")

extensions = [
    "sphinx.ext.autodoc",
    "numpydoc",
    "myst_parser",
    "sphinx_copybutton",
    "commands",  # these are in _extensions
    "answers",
    "outside_pages",
]

exclude_patterns = ["_extensions"]
outside_pages = {
    "CHANGELOG.md": "changes",
    "CONTRIBUTING.md": "developer/contributing",
    "benchmarks/README.md": "benchmarks",
}

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

default_role = "code"  # docstrings have names in single backticks
add_module_names = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_type_aliases = {
    name: name for name in ("ScoreLike", "GraphLike", "ArrayLike", "npt.ArrayLike")
}
numpydoc_show_class_members = False

copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True

html_theme = "pydata_sphinx_theme"
html_title = "dagscape"
html_static_path = ["_static"]
html_extra_path = ["llms.txt"]
html_css_files = ["dagscape.css"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {
    page: [] for page in ("index", "tutorial/index", "changes", "compare", "benchmarks")
}
html_theme_options = {
    "logo": {"text": "dagscape"},
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "navigation_with_keys": False,
    "header_links_before_dropdown": 6,
    "navbar_persistent": ["search-button"],
    "show_toc_level": 2,
    "back_to_top_button": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}

RETURNED = (
    "Bootstrap CandidateParents Comparison Cost Landscape LearnResult LocalSet LocalSets Optimum "
    "Result"
)


def hide_constructor(
    _app: Sphinx, kind: str, name: str, _object: Callable[..., Any], *_: Any
) -> tuple[str, None] | None:
    """Leave out how classes are made that only searches make."""
    returned = kind == "class" and name.rpartition(".")[2] in RETURNED.split()
    return ("", None) if returned else None


def setup(app: Sphinx) -> None:
    """Tell Sphinx what is different here."""
    app.connect("autodoc-process-signature", hide_constructor)
