"""What must work with the least versions of all dependencies: magics, displays, kernels, C."""

import numpy as np
from IPython.core.interactiveshell import InteractiveShell  # noqa: TID251

import polynb as pn

CELL = """blur
param N; temp t;
for i = 1 to N do t[i] = A[i-1] + A[i+1]; done
for i = 1 to N do B[i] = 0.5 * t[i]; done
"""
C = """
#pragma scop
for (int i = 0; i < n; i++)
  for (int j = 0; j < n; j++) C[i][j] = A[i][j] * 2.0;
#pragma endscop
"""

shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "polynb")
done = shell.run_cell("%%propagate " + CELL)
done.raise_error()
blur = shell.user_ns["blur"]
assert len(blur.result.statements) == 1
assert "<script" in blur.to_html()
assert pn.prove(blur)
assert pn.equivalent(blur, N=[4])
result = pn.compile(blur, threads=2)(N=3, A=np.arange(5.0)).B
assert result[1:4].tolist() == [1.0, 2.0, 3.0], result
scop = pn.parse(C)
tiled = pn.reorder(scop, tile=4)
assert pn.check(tiled)
assert "for (" in tiled.result.to_c()
pn.draw(scop)._repr_mimebundle_()
assert pn.transform(scop, "interchange i j")
assert pn.fold([[0], [1]], [3, 4])
print("polynb works with", np.__version__)
