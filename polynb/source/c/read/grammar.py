"""Tokens -> pycparser's tree, and the way back from its nodes to places in the text.

Every token goes to pycparser on a line of its own, so that a line number is a token's index.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from pycparser import CParser, c_ast
from pycparser.c_parser import ParseError

from polynb.errors import Edit, PolynbError, Source, Span
from polynb.source.c.read.tokens import Token
from polynb.source.mistakes import mistake

# What stdint.h, stddef.h and sys/types.h name. Their meaning is in meaning/types.py.
TYPEDEFS = (
    *(f"{u}int{n}_t" for u in ("", "u") for n in (8, 16, 32, 64)),
    *("intptr_t", "uintptr_t", "intmax_t", "uintmax_t", "size_t", "ssize_t", "ptrdiff_t"),
)
_PRELUDE = " ".join(f"typedef int {t};" for t in TYPEDEFS)
_SPELLING = {
    "bool": "_Bool",
    "true": "1",
    "false": "0",
    "__restrict": "restrict",
    "__restrict__": "restrict",
    "__inline": "inline",
    "__inline__": "inline",
    "__const": "const",
}
_OPEN = {"(": ")", "[": "]", "{": "}"}
_CLOSE = {v: k for k, v in _OPEN.items()}
_CONTROL = ("for", "while", "if", "switch", "return", "sizeof")
OWN_WORDS = frozenset(("param", "assume", "temp", "input", "output", "inout"))
"""With which a program in polynb's own language begins."""
KEYWORDS = frozenset(
    (
        *("auto", "break", "case", "char", "const", "continue", "default", "do", "double"),
        *("else", "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long"),
        *("register", "restrict", "return", "short", "signed", "sizeof", "static", "struct"),
        *("switch", "typedef", "union", "unsigned", "void", "volatile", "while", "_Bool", "bool"),
    )
)


@dataclass(frozen=True, eq=False)
class Grammar:
    """A parsed text. `bare`: it has no function, and its statements are the body of one."""

    file: c_ast.FileAST
    bare: bool
    places: Places

    @property
    def globals(self) -> tuple[c_ast.Decl | c_ast.Typedef, ...]:
        """The declarations outside functions, without the standard typedefs."""
        kinds = c_ast.Decl | c_ast.Typedef
        return tuple(e for e in self.file.ext if isinstance(e, kinds) and e.coord.line > 1)


@dataclass(frozen=True, eq=False)
class Places:
    """Where pycparser's nodes stand. `partner` gives the other bracket of a pair, by index."""

    tokens: list[Token]
    partner: dict[int, int]
    known: dict[c_ast.Node, tuple[int, int]] = field(default_factory=dict)

    def index(self, node: c_ast.Node) -> int | None:
        """The index of the token pycparser remembers for a node."""
        if node.coord is None or node.coord.line < 2:
            return None
        return min(int(node.coord.line) - 2, len(self.tokens) - 1)

    def token(self, node: c_ast.Node) -> Span:
        """That token: a declaration's or label's name, a statement's keyword."""
        inner = node
        while isinstance(node, c_ast.Decl | c_ast.Typedef) and not isinstance(
            inner, c_ast.TypeDecl | c_ast.Enum | c_ast.Struct | c_ast.Union
        ):
            inner = inner.type
        index = self.index(inner)
        return self.span(node) if index is None else self.tokens[index].span

    def span(self, node: c_ast.Node) -> Span:
        """From a node's first token to its last."""
        return self.between(*self.range(node))

    def head(self, node: c_ast.Node) -> Span:
        """A statement's keyword and the brackets after it: `for (...)`."""
        first = self.index(node) or 0
        return self.between(first, self.partner.get(first + 1, first))

    def between(self, first: int, last: int) -> Span:
        spans = [t.span for t in self.tokens[first : last + 1]]
        start, end = min(s.start for s in spans), max(s.end for s in spans)
        return Span(spans[0].source, start, end)

    def find(self, node: c_ast.Node, text: str) -> Span:
        """The first token with that text in a node; the node itself where there is none."""
        first, last = self.range(node)
        found = [t.span for t in self.tokens[first : last + 1] if t.text == text]
        return found[0] if found else self.span(node)

    def operator(self, node: c_ast.Node, left: c_ast.Node) -> Span:
        """The token after a node's left operand: its operator."""
        last = self.range(left)[1] + 1
        while last < len(self.tokens) - 1 and self.tokens[last].text in (")", "]"):
            last += 1
        return self.tokens[min(last, len(self.tokens) - 1)].span

    def range(self, node: c_ast.Node) -> tuple[int, int]:
        """The indices of a node's first and last token, brackets closed."""
        if node not in self.known:
            own = self.index(node)
            parts = [self.range(child) for _, child in node.children()]
            if own is not None and not isinstance(node, c_ast.DeclList):
                parts.append((own, own))
            first = min((a for a, _ in parts), default=0)
            last = max((b for _, b in parts), default=0)
            self.known[node] = self._balanced(*self._whole(node, first, last))
        return self.known[node]

    def _whole(self, node: c_ast.Node, first: int, last: int) -> tuple[int, int]:
        """With the tokens that pycparser keeps no place of: `-` of -x, `++` of x++, `()`."""
        match node:
            case c_ast.UnaryOp(op=op):
                first, last = self._balanced(first, last)
                sign = op.removeprefix("p")
                while first > 0 and self.partner.get(first - 1) == last + 1:
                    first, last = first - 1, last + 1
                if op.startswith("p"):
                    last += self._is(last + 1, sign)
                else:
                    first -= self._is(first - 1, sign)
            case c_ast.FuncCall(args=None):
                last = self.partner.get(last + 1, last)
            case c_ast.InitList() if self._is(first - 1, "{"):
                first -= 1
        return first, last

    def _is(self, index: int, text: str) -> bool:
        return 0 <= index < len(self.tokens) and self.tokens[index].text == text

    def _balanced(self, first: int, last: int) -> tuple[int, int]:
        while True:
            inside = [self.partner[k] for k in range(first, last + 1) if k in self.partner]
            wider = min([first, *inside]), max([last, *inside])
            if wider == (first, last):
                return wider
            first, last = wider


def parse_grammar(source: Source, tokens: list[Token], types: tuple[str, ...] = ()) -> Grammar:
    """pycparser's tree of the tokens; `types` are names of types beside those of stdint.h and its
    kin. Raises PolynbError, with the place."""
    if not tokens:
        raise mistake("c.empty", Span(source, 0, 0))
    partner = _brackets(tokens)
    bare = not any(_defines_function(tokens, partner, k) for k in range(len(tokens)))
    prelude = " ".join([_PRELUDE, *(f"typedef int {t};" for t in types)])
    lines = [prelude + (" void f(void) {" if bare else ""), *(_line(t) for t in tokens)]
    parser = CParser()
    try:
        file = parser.parse("\n".join([*lines, "}"] if bare else lines) + "\n", "c")
    except ParseError as error:
        raise _syntax_error(str(error), _stopped(parser), tokens) from None
    return Grammar(file, bare, Places(tokens, partner))


def _line(token: Token) -> str:
    if token.kind == "pragma":
        return f"#pragma {token.text}"
    return _SPELLING.get(token.text, token.text)


def _brackets(tokens: list[Token]) -> dict[int, int]:
    partner: dict[int, int] = {}
    open_: list[int] = []
    for k, token in enumerate(tokens):
        if token.kind != "operator":
            continue
        if token.text in _OPEN:
            open_.append(k)
        elif token.text in _CLOSE:
            if not open_ or tokens[open_[-1]].text != _CLOSE[token.text]:
                raise _unbalanced(token, tokens[open_[-1]] if open_ else None)
            partner[k] = open_.pop()
            partner[partner[k]] = k
    if open_:
        last = tokens[open_[-1]]
        raise mistake("c.bracket-open", last.span, last=last, closing=_OPEN[last.text])
    return partner


def _unbalanced(token: Token, opened: Token | None) -> PolynbError:
    if opened is None:
        return mistake(
            "c.bracket-closes-nothing", token.span, token=token, opening=_CLOSE[token.text]
        )
    return mistake(
        "c.bracket-crossed", token.span, token=token, opened=opened, closing=_OPEN[opened.text]
    )


def _defines_function(tokens: list[Token], partner: dict[int, int], k: int) -> bool:
    """Whether token k is the name in `type name(...) {`, outside all brackets."""
    if not (0 < k < len(tokens) - 1 and tokens[k].kind == "name" and tokens[k + 1].text == "("):
        return False
    before = tokens[k - 1]
    end = partner[k + 1] + 1
    return (
        tokens[k].text not in _CONTROL
        and (before.text == "*" or (before.kind == "name" and before.text != "else"))
        and end < len(tokens)
        and tokens[end].text == "{"
    )


def _stopped(parser: CParser) -> int | None:
    """The line of the token a parser could not go on from. pycparser 3 says so for some errors
    only by where it stands; where there is no token, its message does."""
    try:
        token = parser._peek() if hasattr(parser, "_peek") else None
    except ParseError:
        return None
    return None if token is None else int(token.lineno)


def _syntax_error(message: str, stopped: int | None, tokens: list[Token]) -> PolynbError:
    """pycparser's complaint, at the token it is about."""
    found = re.match(r"[^:]*:(\d+)(?::\d+)?: (.*)", message)
    line = int(found[1]) if found else stopped
    index = len(tokens) if line is None else max(line - 2, 0)
    if index >= len(tokens):
        return mistake("c.ends-early", tokens[-1].span)
    detail = found[2] if found else ""
    if detail.startswith("Invalid char constant"):
        return mistake("c.quotes-several", tokens[index].span)
    if detail and not detail.startswith("before"):
        return _bad_declaration(detail, tokens, index)
    unknown = _unknown_type(tokens, index)
    if unknown is not None and unknown.text in OWN_WORDS:
        return mistake("c.own-language", unknown.span, unknown=unknown)
    if unknown is not None:
        return mistake(
            "c.unknown-type",
            unknown.span,
            fix=[Edit(Span(unknown.span.source, 0, 0), f"typedef double {unknown.text};\n")],
            unknown=unknown,
        )
    token = tokens[index]
    if token.text in ("[", "=") and index and tokens[index - 1].text in KEYWORDS:
        return _keyword(tokens[index - 1])
    what = _line(token) if token.kind == "pragma" else f"`{token.text}`"
    before = tokens[index - 1] if index else None
    depth = sum((t.text == "(") - (t.text == ")") for t in tokens[:index])
    ended = before is not None and depth == 0 and _lacks_semicolon(token, before)
    place = before.span if before is not None else token.span
    if not ended:
        return mistake("c.unexpected", token.span, what=what)
    fix = [Edit(Span(place.source, place.end, place.end), ";")]
    return mistake("c.semicolon", token.span, fix=fix, what=what, place=place)


def _bad_declaration(detail: str, tokens: list[Token], index: int) -> PolynbError:
    for name, after in pairwise(tokens[index:]):
        if after.text in ("[", "=", ",", ";", ")"):
            if name.text in KEYWORDS:
                return _keyword(name)
            break
    return mistake("c.declaration", tokens[index].span, said=detail[:1].lower() + detail[1:])


def _keyword(token: Token) -> PolynbError:
    return mistake("c.keyword-name", token.span, token=token)


def _unknown_type(tokens: list[Token], index: int) -> Token | None:
    """The name that would make sense before token `index` if it were a type."""
    texts = ["", "", "", "", *(t.text for t in tokens), ""]
    k, token = index + 4, tokens[index]

    def name(at: int) -> bool:
        return bool(re.fullmatch(r"[A-Za-z_]\w*", texts[at])) and texts[at] not in KEYWORDS

    starts = ("", ";", "{", "}", "(", ",", ")", "const", "static", "extern", "register")
    if name(k - 1) and (name(k) or token.text == "*") and texts[k - 2] in starts:
        return tokens[index - 1]
    if name(k) and name(k + 1) and texts[k - 1] in ("(", ",", ";", "{", "}"):
        return token
    cast = texts[k - 1] == ")" and name(k - 2) and texts[k - 3] == "(" and not name(k - 4)
    if cast and token.kind in ("name", "number") and texts[k - 4] not in _CONTROL:
        return tokens[index - 2]
    return None


def _lacks_semicolon(token: Token, before: Token) -> bool:
    """Whether a statement seems to end between two tokens."""
    if before.text in KEYWORDS or token.text == "else":
        return False
    ends = before.kind in ("name", "number") or before.text in (")", "]", "++", "--")
    new_line = token.span.line > before.span.line
    return ends and (new_line or token.kind == "name" or token.text == "}")
