"""What a notebook's file holds, opened again: no kernel, nothing signed."""

import nbformat

import polynb as pn
from polynb.show.trace.builder import trace

from .test_lab import FORWARD, NUMBER, show

MIME = "application/vnd.polynb.trace+json"


def test_a_trace_in_a_file_is_played(page, lab):
    address, folder = lab
    data = {MIME: trace(pn.propagate(pn.gallery.load("fig7b")), None), "text/plain": "a trace"}
    output = nbformat.v4.new_output("display_data", data)
    cell = nbformat.v4.new_code_cell("1", outputs=[output])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), folder / "file.ipynb")
    show(page, address, "file.ipynb")
    page.click(".jp-Dialog button:has-text('No Kernel')")
    page.click(FORWARD)
    assert page.inner_text(NUMBER).startswith("1 of")
