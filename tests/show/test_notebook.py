"""A real kernel: outputs once, errors as error outputs, pictures."""

import nbformat
import pytest
from cases import beside
from nbclient import NotebookClient

CASES = beside(__file__)

CELLS = CASES["cells"]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """The outputs of each cell, run by a kernel of its own."""
    where = tmp_path_factory.mktemp("notebook")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(where))
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in CELLS])
        client = NotebookClient(
            notebook, timeout=120, allow_errors=True, resources={"metadata": {"path": str(where)}}
        )
        client.execute()
    return [c.outputs for c in notebook.cells]


def test_cells_show_their_result_once(outputs):
    assert outputs[0] == []
    assert [o.output_type for o in outputs[1]] == ["execute_result"]
    assert outputs[2] == []
    assert [o.output_type for o in outputs[3]] == ["execute_result"]
    assert "t is removed" in outputs[3][0].data["text/html"]


def test_next_lines_name_the_variables(outputs):
    assert outputs[1][0].data["text/plain"].endswith("next: fast = %propagate blur")
    assert "next: %bench fast N=" in outputs[3][0].data["text/plain"]


@pytest.mark.parametrize(
    ("cell", "line", "under"), [(4, 5, "B[i] = ;"), (5, 1, "%propagate blr"), (6, 1, "%%scop")]
)
def test_errors_are_error_outputs_with_a_caret(outputs, cell, line, under):
    (error,) = outputs[cell]
    assert error.output_type == "error"
    assert error.ename == "PolynbError"
    shown = "\n".join(error.traceback)
    assert f"cell, line {line}, column" in shown
    assert under in shown
    assert "^" in shown
    assert "Traceback" not in shown


@pytest.mark.parametrize("cell", [7, 8])
def test_figures_are_shown_once(outputs, cell):
    (shown,) = outputs[cell]
    assert "image/png" in shown.data


def test_given_axes_are_shown_by_their_owner(outputs):
    pictures = [o for o in outputs[9] if "image/png" in o.get("data", {})]
    assert len(pictures) == 1
