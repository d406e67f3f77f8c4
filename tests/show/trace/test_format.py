"""The format stands once, in the schema: Python's types say the same, key by key."""

import json
import types
import typing
from pathlib import Path
from typing import Any, Literal, NotRequired, get_args, get_origin, get_type_hints

import pytest

from polynb.show.trace import format as trace_format

SCHEMA = json.loads((Path(trace_format.__file__).parent / "trace.schema.json").read_text())
PLAIN = {"string": str, "integer": int, "boolean": bool, "null": type(None)}
LISTS = {"Instance": "Reference", "Pair": "Reference", "Place": "Reference"}


def python_name(name: str) -> str:
    """What an entry of the schema is called in Python."""
    if name == "Step":
        return "Frame"
    entry = SCHEMA["$defs"].get(name, SCHEMA)
    return LISTS.get(name) or (f"{name}Json" if "properties" in entry or "oneOf" in entry else name)


def of_schema(x: dict[str, Any]) -> Any:
    """A schema as a comparable value: names of types, lists, choices."""
    match x:
        case {"$ref": str(name)}:
            return of_python(getattr(trace_format, python_name(name.rpartition("/")[2])))
        case {"enum": values}:
            return ("one of", *sorted(values))
        case {"const": value}:
            return ("one of", value)
        case {"oneOf": choices}:
            return ("either", frozenset(map(of_schema, choices)))
        case {"type": "array", "items": items}:
            return ("list", of_schema(items))
        case {"type": "object", "additionalProperties": dict(values)}:
            return ("dict", of_schema(values))
        case {"type": list(kinds)}:
            return ("either", frozenset(PLAIN[k] for k in kinds))
        case {"type": str(kind)}:
            return PLAIN[kind]
    raise AssertionError(f"not understood: {x}")


def of_python(x: Any) -> Any:
    """A type as the same kind of value; a TypedDict is its name."""
    if typing.is_typeddict(x):
        return x.__name__
    origin, inside = get_origin(x), get_args(x)
    if origin is Literal:
        return ("one of", *sorted(inside))
    if origin is list:
        return ("list", of_python(*inside))
    if origin is dict:
        return ("dict", of_python(inside[1]))
    if origin is types.UnionType or origin is typing.Union:
        return ("either", frozenset(map(of_python, inside)))
    assert x in PLAIN.values(), x
    return x


@pytest.mark.parametrize("name", ["Trace", *SCHEMA["$defs"]])
def test_python_has_the_types_of_the_schema(name: str) -> None:
    entry = SCHEMA["$defs"].get(name, SCHEMA)
    found = getattr(trace_format, python_name(name))
    if "properties" not in entry:
        assert of_python(found) == of_schema(entry)
        return
    assert entry["additionalProperties"] is False
    hints = get_type_hints(found)
    extra = get_type_hints(found, include_extras=True)
    required = {k for k in found.__required_keys__ if get_origin(extra[k]) is not NotRequired}
    assert required == set(entry["required"])
    expected = {key: of_schema(x) for key, x in entry["properties"].items()}
    assert {key: of_python(x) for key, x in hints.items()} == expected


def test_python_has_no_others() -> None:
    own = {n for n, x in vars(trace_format).items() if typing.is_typeddict(x)}
    assert own - {"FrameParts"} <= {python_name(n) for n in ["Trace", *SCHEMA["$defs"]]}
