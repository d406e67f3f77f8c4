"""The line of a magic: words with their places, so that every complaint points at one of them."""

from __future__ import annotations

import argparse
import difflib
import itertools
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from polynb.arguments import several_names
from polynb.errors import Edit, PolynbError, Source, Span
from polynb.words import shortened

MANY: Final = 12  # names that a hint can list
EXAMPLES: Final = {
    "--tile": "--tile 32,32",
    "--temp": "--temp tmp,s",
    "--assume": "--assume 'N >= 2'",
    "--from": "--from blur",
    "--apply": "--apply reorder",
}
CLOSING: Final = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, eq=False)
class Word:
    """A word without its quotes, and where it stands in the line."""

    text: str
    span: Span


@dataclass(frozen=True, eq=False)
class MagicLine:
    """What was typed after a magic's name. `source` shows the whole line, as it was typed."""

    words: tuple[Word, ...]
    source: Source
    magic: str

    @property
    def start(self) -> Span:
        """The magic itself."""
        return Span(self.source, 0, len(self.magic))

    def span_of(self, text: str) -> Span | None:
        """Where a word, or one that begins so, stands."""
        exact = [w for w in self.words if w.text == text]
        near = [w for w in self.words if w.text.startswith(text)]
        return next((w.span for w in (*exact, *near)), None)


def split(line: str, magic: str) -> MagicLine:
    """The words of a line: separated by blanks outside of quotes and brackets; a `#` between
    words begins a comment, and semicolons at the end are dropped.

    `in=photo[:, 0]` is one word. Raises PolynbError for a quote or bracket that is not closed.
    """
    head = f"{magic} "
    source = Source(head + line, "cell")
    offset, words = len(head), []
    at = 0
    while at < len(line):
        if line[at].isspace():
            at += 1
            continue
        if line[at] == "#":
            break
        end = _word_end(line, at, source, offset)
        words.append((at, end))
        at = end
    found = []
    for k, (start, end) in enumerate(words):
        text = line[start:end]
        if k == len(words) - 1:
            text = text.rstrip(";")
        if text:
            span = Span(source, offset + start, offset + start + len(text))
            found.append(Word(_unquoted(text), span))
    return MagicLine(tuple(found), source, magic)


def _word_end(line: str, start: int, source: Source, offset: int) -> int:
    """Where the word that begins at `start` ends."""
    open_brackets: list[str] = []
    at = start
    while at < len(line):
        c = line[at]
        if c in "'\"":
            close = _quote_end(line, at)
            if close < 0:
                raise PolynbError(
                    "this quote is not closed", span=Span(source, offset + at, offset + at + 1),
                    hint=f"another {c} after it",
                    fix=[Edit(Span(source, offset + len(line), offset + len(line)), c)],
                )  # fmt: skip
            at = close
        elif c in CLOSING:
            open_brackets.append(CLOSING[c])
        elif open_brackets and c == open_brackets[-1]:
            open_brackets.pop()
        elif c.isspace() and not open_brackets:
            break
        at += 1
    if open_brackets:
        raise PolynbError(
            f"a {open_brackets[-1]!r} is missing",
            span=Span(source, offset + start, offset + at),
            hint=f"{line[start:at].rstrip()}{''.join(reversed(open_brackets))}",
            fix=[Edit(Span(source, offset + at, offset + at), "".join(reversed(open_brackets)))],
        )
    return at


def _quote_end(line: str, start: int) -> int:
    """The index of the quote that closes the one at `start`, -1 if there is none."""
    at = start + 1
    while at < len(line) and line[at] != line[start]:
        at += 2 if line[at] == "\\" else 1
    return at if at < len(line) else -1


def _unquoted(text: str) -> str:
    """Without the quotes around all of it, or around all that follows the first `=`."""
    name, equals, value = text.partition("=")
    if equals and re.fullmatch(r"[\w-]+", name):
        return f"{name}={_bare(value)}"
    return _bare(text)


def _bare(text: str) -> str:
    quoted = len(text) > 1 and text[0] in "'\"" and _quote_end(text, 0) == len(text) - 1
    return text[1:-1] if quoted else text


# -- options ---------------------------------------------------------------------------


def parse_line(line: MagicLine, parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The options and words of a line, by a magic's argument parser.

    Raises PolynbError, at the word at fault, for what the parser refuses.
    """
    from IPython.core.error import UsageError

    known = ["--help", *(o for a in parser._actions for o in a.option_strings)]
    for word in line.words:
        option = word.text.partition("=")[0]
        quoted = word.span.text[:1] in ("'", '"')
        is_option = option.startswith("-") and not (quoted or _is_number(word.text))
        if is_option and option not in known:
            raise unknown(f"{line.magic} has no option {option}", word.span, option, known)
    try:
        return parser.parse_intermixed_args(list(_with_defaults(line, parser)))
    except (UsageError, argparse.ArgumentError) as error:
        raise _refused(line, str(error)) from None


def _with_defaults(line: MagicLine, parser: argparse.ArgumentParser) -> Iterator[str]:
    """The words of a line; an option that may have a number has its default where a name follows,
    `--windows blur`, and one that needs a value has the quoted one: `--assume '-N<=-2'`."""
    valued = {o for a in parser._actions if a.nargs is None for o in a.option_strings}
    numbers = {o: a.const for a in parser._actions if a.nargs == "?" and isinstance(a.const, int)
               for o in a.option_strings}  # fmt: skip
    words = iter(itertools.zip_longest(line.words, line.words[1:]))
    for word, following in words:
        if word.text in valued and following and re.match("['\"]-", following.span.text):
            yield f"{word.text}={following.text}"
            next(words)
            continue
        named = following is not None and re.match(r"[^\W\d]", following.text)
        default = named and word.text in numbers
        yield f"{word.text}={numbers[word.text]}" if default else word.text


def _refused(line: MagicLine, message: str) -> PolynbError:
    """What argparse says, at the option or, if it quotes one, the value that it is about."""
    option = re.match(r"argument (?:.*/)?(--?[\w-]+): ", message)
    value = re.search(r"value: '(.*)'|choice: '(.*?)'", message)
    span = line.span_of(option[1]) if option else None
    if value is not None:
        span = line.span_of(value[1] or value[2]) or span
    place = span or line.start
    choices = re.findall(r"'([^']*)'", message.partition("choose from")[2])
    hint, fix = f"{line.magic}? shows the options", list[Edit]()
    if option is not None and "expected one argument" in message:
        hint = f"{EXAMPLES.get(option[1], f'{option[1]} and a value')}; {hint}"
    if choices:
        close = difflib.get_close_matches(place.text.lower(), choices, 1, 0.6)
        hint = f"one of: {', '.join(choices)}"
        fix = [Edit(place, c) for c in close]
        hint = close[0] if close else hint
    return PolynbError(
        f"{option[1]}: {message[option.end() :]}" if option else message,
        span=place,
        hint=hint,
        fix=fix,
    )


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-\d[\d.]*", text) is not None


def unknown(message: str, span: Span | None, name: str, known: Sequence[str]) -> PolynbError:
    """An error for a name that is not among the known ones, with those that look like it."""
    close = difflib.get_close_matches(name, known, 3, 0.6)
    ways = ", ".join(close) or None
    if known and not close:
        ways = f"one of: {shortened(known, MANY)}"
    fix = [Edit(span, close[0])] if close and span is not None and span.text == name else ()
    return PolynbError(message, span=span, hint=ways, fix=fix)


def names(text: str | None) -> tuple[str, ...]:
    """The names of a list as an option takes it: `tmp,s`."""
    return several_names("names", text or "")


def quoted(line: MagicLine) -> str | None:
    """The way out where the value of --assume or --temp has blanks and no quotes around it."""
    words = [w.text for w in line.words]
    for option in ("--assume", "--temp"):
        if option in words:
            value = itertools.takewhile(
                lambda w: not w.startswith("--"), words[words.index(option) + 1 :]
            )
            text = " ".join(value)
            if " " in text:
                return f"quotes around what has blanks: {option} '{text}'"
    return None


def list_with_blanks(line: MagicLine, extra: Span) -> PolynbError | None:
    """The error for a word too much that belongs to the numbers before it: `--tile 32 64`."""
    k = next(k for k, w in enumerate(line.words) if w.span is extra)
    option, first = line.words[max(k - 2, 0)], line.words[max(k - 1, 0)]
    together = f"{first.text},{extra.text}"
    if not option.text.startswith("--") or not re.fullmatch(r"\d+(,\d+)+", together):
        return None
    return PolynbError(
        "a list has no blanks in it",
        span=first.span.to(extra),
        reason="blanks separate the words of a line",
        hint=f"{option.text} {together}",
        fix=[Edit(first.span.to(extra), together)],
    )


@contextmanager
def pointing(line: MagicLine) -> Iterator[None]:
    """Show an error that has no place of its own at the word of the line that it is about: whose
    name it quotes or begins with, or the option at fault."""
    try:
        yield
    except PolynbError as error:
        error.span = error.span or _word_about(line, error)
        error.hint = _as_typed(line, error.hint)
        raise


def _as_typed(line: MagicLine, hint: str | None) -> str | None:
    """`--tile 2, say` for `tile=2, say`, which is how Python says it, if the line has the option;
    `--interchange 1,0, say` for `interchange=[1, 0], say`."""
    said = re.fullmatch(r"(\w+)=(?:([\w.]+)|\[([\w., ]+)\])((?:, say)?)", hint or "")
    if said is None:
        return hint
    flag = f"--{said[1].replace('_', '-')}"
    value = said[2] or said[3].replace(" ", "")
    return hint if line.span_of(flag) is None else f"{flag} {value}{said[4]}"


def _word_about(line: MagicLine, error: PolynbError) -> Span | None:
    span = _word_quoted(line, error.message) or _word_begun(line, error.message, options=False)
    if span is None and error.argument is not None:
        span = line.span_of(f"--{error.argument.replace('_', '-')}")
    return span or _word_begun(line, error.message, options=True)


def _name_and_value(word: Word) -> tuple[str, str]:
    name, _, value = word.text.partition("=")
    return name.lstrip("-").replace("-", "_"), value


def _word_quoted(line: MagicLine, message: str) -> Span | None:
    """The first word of which a message quotes a name."""
    quoted = set(re.findall(r"'([^']+)'", message))
    for word in line.words:
        name, value = _name_and_value(word)
        if quoted & {name, *names(word.text), *names(value)}:
            return word.span
    return None


def _word_begun(line: MagicLine, message: str, *, options: bool) -> Span | None:
    """The first word with which a message begins; of an option, its value."""
    for word, following in itertools.zip_longest(line.words, line.words[1:]):
        name, value = _name_and_value(word)
        option = word.text.startswith("--")
        if option is options and message.startswith(f"{name} "):
            return following.span if option and not value and following else word.span
    return None
