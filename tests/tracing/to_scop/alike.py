"""A Scop made from a run, beside the Scop of the program's text at the sizes of the run."""

from __future__ import annotations

import polynb as pn
from polynb import isl
from polynb.tracing import Folding
from polynb.tracing.to_scop import to_scop
from polynb.tracing.to_scop.subscripts import Subscripts


class Alike:
    """The instances of the traced statements, called as the text's are: `{ I3[c] -> S0[i] }`."""

    def __init__(self, folding: Folding, text: pn.Scop, sizes: dict[str, int]) -> None:
        self.text, self.traced = text, to_scop(folding)
        self.sizes = {p: sizes[p] for p in text.parameters}
        lines = {
            line: s.name
            for s in text.statements
            for line in range(s.span.line, s.span.source.position(s.span.end)[0] + 1)
        }
        subscripts = Subscripts(folding)
        by_name = {n.replace(".", "_"): i for n, i in folding.instructions.items()}
        self.names, self.points = {}, {}
        for s in self.traced.statements:
            i = by_name[s.name]
            own = text.by_name[lines[i.place[0].line if i.place else i.line]]
            texts = [self._text(value, i.loops) for value in subscripts.values(i)]
            source = f"{s.name}[{', '.join(i.loops)}]"
            self.names[s.name] = own.name
            self.points[s.name] = isl.Map(f"{{ {source} -> {own.name}[{', '.join(texts)}] }}")

    @staticmethod
    def _text(f, names) -> str:
        terms = [f"{k}*{n}" for k, n in zip(f[0], names, strict=True) if k]
        return " + ".join([*terms, str(f[1])])

    def fixed(self, x):
        """The text's set or map at the sizes."""
        return isl.fix_parameters(x, self.sizes).project_out_all_params()

    def domains(self):
        of_text = {s.name: self.fixed(s.domain) for s in self.text.statements}
        found = {
            self.names[s.name]: s.domain.apply(self.points[s.name]) for s in self.traced.statements
        }
        return of_text, found

    def edges(self):
        """The dependences of both, by kind, statements and array."""
        of_text, found = {}, {}
        for e in pn.analyze(self.text).edges:
            add(of_text, (e.kind, e.source, e.target, e.array), self.fixed(e.relation))
        for e in pn.analyze(self.traced).edges:
            relation = e.relation.apply_domain(self.points[e.source])
            relation = relation.apply_range(self.points[e.target])
            key = (e.kind, self.names[e.source], self.names[e.target], e.array)
            add(found, key, relation)
        return of_text, found

    def accesses(self):
        of_text, found = {}, {}
        for s in self.text.statements:
            for how, a in [("write", s.write), *(("read", r) for r in s.reads)]:
                relation = self.fixed(a.relation.intersect_domain(s.domain))
                add(of_text, (how, s.name, a.array), relation)
        for s in self.traced.statements:
            for how, a in [("write", s.write), *(("read", r) for r in s.reads)]:
                if a.array in self.text.parameters:
                    continue  # a number to a run
                relation = a.relation.intersect_domain(s.domain)
                key = (how, self.names[s.name], a.array)
                add(found, key, relation.apply_domain(self.points[s.name]))
        return of_text, found


def add(found, key, relation) -> None:
    found[key] = relation if key not in found else found[key].union(relation)


def differing(pair) -> list:
    """The keys whose relations differ (an empty one is none)."""
    a, b = pair
    return [
        key
        for key in {*a, *b}
        if (key not in a and not b[key].is_empty())
        or (key not in b and not a[key].is_empty())
        or (key in a and key in b and not a[key].is_equal(b[key]))
    ]


def traced(scop: pn.Scop, sizes: dict[str, int]) -> Folding:
    source = scop.statements[0].span.source
    return pn.trace(source, call=scop.name, variant="F", streams=True, **sizes)
