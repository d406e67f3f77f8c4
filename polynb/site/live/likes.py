"""What islpy's classes have besides isl's functions: operators, and lists of parts."""

from __future__ import annotations

from typing import Any, ClassVar

from polynb.site.live.base import KINDS, NeverEqual, Object, machine, text


class Numeral(Object):
    """`Val`: computes as Python's numbers do."""

    def __init__(self, i: Any, context: Any = None) -> None:
        if isinstance(i, int) and -(1 << 63) <= i < 1 << 63:
            i = str(int(i))
        super().__init__(i)

    def __bool__(self: Any) -> bool:
        return not self.is_zero()

    def __neg__(self: Any) -> Any:
        return self.neg()

    def __add__(self: Any, other: Any) -> Any:
        return self.add(other)

    __radd__ = __add__

    def __sub__(self: Any, other: Any) -> Any:
        return self.sub(other)

    def __rsub__(self: Any, other: Any) -> Any:
        return -self + other

    def __mul__(self: Any, other: Any) -> Any:
        return self.mul(other)

    __rmul__ = __mul__

    def __mod__(self: Any, other: Any) -> Any:
        return self.mod(other)

    def __lt__(self: Any, other: Any) -> Any:
        return self.lt(other)

    def __gt__(self: Any, other: Any) -> Any:
        return self.gt(other)

    def __le__(self: Any, other: Any) -> Any:
        return self.le(other)

    def __ge__(self: Any, other: Any) -> Any:
        return self.ge(other)

    def __eq__(self: Any, other: Any) -> Any:
        return self.eq(other)

    def __ne__(self: Any, other: Any) -> Any:
        return self.ne(other)

    __hash__ = Object.__hash__

    def to_python(self: Any) -> int:
        """An integer of Python's."""
        if not self.is_int():
            raise ValueError("can only convert integer Val to python")
        return int(str(self))


class Identifier(NeverEqual):
    """`Id`: a name, and perhaps an object of Python's."""

    _objects: ClassVar[dict[int, object]] = {}

    def __init__(self, name: str, user: object = None, context: Any = None) -> None:
        number = id(user) & 0x7FFFFFFF
        self._objects[number] = user  # isl finds names and objects that it has seen before
        self._p = machine.id_alloc_with(text(name), number)

    @classmethod
    def _user(cls, number: int) -> object:
        return cls._objects.get(number)


class Pieces(Object):
    """`Aff`, `PwAff`: computes with its kind, and with numbers."""

    def get_pieces(self: Any) -> list[tuple[Any, Any]]:
        """Where each formula holds, and the formula."""
        found: list[tuple[Any, Any]] = []
        whole = self.to_pw_aff() if self._base_name == "aff" else self
        whole.foreach_piece(lambda *piece: found.append(piece))
        return found

    def _like(self: Any, x: Any) -> Any:
        if isinstance(x, Pieces):
            return x
        space = self.get_domain_space()
        constant = KINDS["aff"].zero_on_domain(space).set_constant_val(x)
        if self._base_name == "aff":
            return constant
        return KINDS["pw_aff"].alloc(KINDS["set"].universe(space), constant)

    def __add__(self: Any, other: Any) -> Any:
        return self.add(self._like(other))

    __radd__ = __add__

    def __sub__(self: Any, other: Any) -> Any:
        return self.sub(self._like(other))

    def __rsub__(self: Any, other: Any) -> Any:
        return -self + other

    def __mul__(self: Any, other: Any) -> Any:
        return self.mul(self._like(other))

    __rmul__ = __mul__

    def __neg__(self: Any) -> Any:
        return self.neg()

    def __mod__(self: Any, other: Any) -> Any:
        return self.mod_val(other)

    def __floordiv__(self: Any, other: Any) -> Any:
        return self.scale_down_val(other).floor()


class Disjuncts(Object):
    """Sets and maps, basic or not."""

    def _whole(self: Any) -> Any:
        return self

    def __and__(self: Any, other: Any) -> Any:
        return (
            self.intersect(other) if type(self) is type(other) else other._whole() & self._whole()
        )

    __rand__ = __and__

    def __or__(self: Any, other: Any) -> Any:
        return self._whole().union(other)

    __ror__ = __or__

    def __sub__(self: Any, other: Any) -> Any:
        return self._whole().subtract(other)

    def __lt__(self: Any, other: Any) -> Any:
        return self._whole().is_strict_subset(other)

    def __le__(self: Any, other: Any) -> Any:
        return self._whole().is_subset(other)

    def __gt__(self: Any, other: Any) -> Any:
        return other._whole().is_strict_subset(self)

    def __ge__(self: Any, other: Any) -> Any:
        return other._whole().is_subset(self)

    __hash__ = Object.__hash__


class BasicOnes(Disjuncts):
    """Basic sets and basic maps, which isl hashes as sets and maps."""

    def _whole(self: Any) -> Any:
        return self.to_set() if self._base_name == "basic_set" else self.to_map()

    def __hash__(self) -> int:
        return hash(self._whole())

    def get_constraints(self: Any) -> list[Any]:
        """Its constraints, in isl's order."""
        found = self.get_constraint_list()
        return [found.get_at(k) for k in range(len(found))]


class Spacious(Object):
    """`Space`: made of names."""

    @classmethod
    def create_from_names(
        cls: Any, ctx: Any, set: Any = None, in_: Any = None, out: Any = None, params: Any = ()
    ) -> Any:
        """A space of sets, or of maps, with these dimensions and parameters."""
        kinds = {1: params, 3: set} if set is not None else {1: params, 2: in_, 3: out}
        sizes = [len(names) for names in kinds.values()]
        space = cls.set_alloc(ctx, *sizes) if set is not None else cls.alloc(ctx, *sizes)
        for kind, names in kinds.items():
            for k, name in enumerate(names):
                space = space.set_dim_name(kind, k, name)
        return space
