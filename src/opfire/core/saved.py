"""A game as bytes: for saving, and for its digest. The constants of a game (its setting) are left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
import msgspec.inspect

from opfire.core.dice import Dice
from opfire.core.rows import Row

if TYPE_CHECKING:
    from opfire.core.game import Game


def encode(game: Game[Any]) -> bytes:
    """A game as JSON, for `Game.load`."""
    return msgspec.json.encode(
        {
            "ruleset": game.ruleset.id,
            "version": game.ruleset.version,
            "seats": dict(game.seats),
            "state": game.state,
            "stack": game.stack,
            "dice": {
                "seed": game.dice.seed.hex(),
                "open": game.dice.open,
                "secret": game.dice.secret,
                "script": game.dice.script,
            },
            "outcome": game.outcome,
        },
        enc_hook=_left_out(game),
    )


def dice(raw: Mapping[str, Any]) -> Dice:
    """The dice that `encode` wrote."""
    script = raw["script"]
    return Dice(bytes.fromhex(raw["seed"]), raw["open"], raw["secret"], None if script is None else tuple(script))


def essence(game: Game[Any]) -> bytes:
    """The bytes behind a digest, the same in every process: sets come in order."""
    return msgspec.msgpack.encode(
        (game.state, game.stack, game.dice.open, game.dice.secret, game.outcome),
        enc_hook=_left_out(game),
        order="deterministic",
    )


def lasting(game: Game[Any]) -> bytes:
    """The bytes behind the `state` of a record's line: as `essence`, without defaults and without printed values.

    A later version may therefore add fields to a state, or correct the values of a counter, and still agree with the
    records of an earlier one. A row of a table stands there by its id alone; any other struct names the fields that
    repeat printed values in a class variable `printed`.
    """
    return _packed(game, _unprinted)


def valued(game: Game[Any]) -> bytes:
    """The bytes behind the `state` in the third format of records: as `lasting`, with all printed values."""
    return _packed(game, _shape)


Shape: TypeAlias = tuple[str, tuple[tuple[str, Any], ...]]
"""The tag of a struct, and each of its fields with its default."""


def _packed(game: Game[Any], shape: Callable[[type[msgspec.Struct]], Shape]) -> bytes:
    setting = getattr(game.state, "setting", None)
    parts = [_sparse(part, setting, shape) for part in (game.state, game.stack, game.outcome)]
    counts = game.dice.open, game.dice.secret
    return msgspec.msgpack.encode((*parts, *counts), enc_hook=_left_out(game), order="deterministic")


def _sparse(value: Any, setting: Any, shape: Callable[[type[msgspec.Struct]], Shape]) -> Any:
    """A value as plain data; of a struct only its tag and the fields of its shape that differ from their default."""
    if value is setting:
        return None
    if isinstance(value, msgspec.Struct):
        return _kept(value, setting, shape) if _constant(type(value)) else _fields(value, setting, shape)
    if isinstance(value, tuple | list):
        return [_sparse(part, setting, shape) for part in value]
    if isinstance(value, dict):
        return {key: _sparse(part, setting, shape) for key, part in value.items()}
    return value


def _fields(value: msgspec.Struct, setting: Any, shape: Callable[[type[msgspec.Struct]], Shape]) -> dict[str, Any]:
    tag, fields = shape(type(value))
    kept = {"": tag} if tag else {}
    for name, default in fields:
        if (found := getattr(value, name)) is not default and found != default:
            kept[name] = _sparse(found, setting, shape)
    return kept


KEPT = 4096
"""The most structs whose bytes are kept: more than the units of some games under way."""

_bytes: dict[tuple[int, Any], tuple[msgspec.Struct, msgspec.Raw]] = {}


def _kept(value: msgspec.Struct, setting: Any, shape: Callable[[type[msgspec.Struct]], Shape]) -> msgspec.Raw:
    """The bytes of a struct that never changes: of all units a decision changes few, and every decision is packed."""
    key = id(value), shape
    found = _bytes.get(key)
    if found is None or found[0] is not value:
        packed = msgspec.msgpack.encode(_fields(value, setting, shape), order="deterministic")
        if len(_bytes) >= KEPT:
            _bytes.clear()
        found = _bytes[key] = value, msgspec.Raw(packed)
    return found[1]


@cache
def _constant(kind: type[msgspec.Struct]) -> bool:
    """Return whether a struct of this kind, and all that it holds, is frozen plain data."""
    return _frozen(msgspec.inspect.type_info(kind))


def _frozen(found: msgspec.inspect.Type) -> bool:
    match found:
        case msgspec.inspect.StructType(cls=kind, fields=fields):
            return kind.__struct_config__.frozen and all(_frozen(field.type) for field in fields)
        case msgspec.inspect.UnionType(types=types) | msgspec.inspect.TupleType(item_types=types):
            return all(_frozen(part) for part in types)
        case msgspec.inspect.VarTupleType(item_type=part) | msgspec.inspect.FrozenSetType(item_type=part):
            return _frozen(part)
    return isinstance(found, _PLAIN)


_PLAIN = (
    msgspec.inspect.NoneType,
    msgspec.inspect.BoolType,
    msgspec.inspect.IntType,
    msgspec.inspect.FloatType,
    msgspec.inspect.StrType,
    msgspec.inspect.BytesType,
    msgspec.inspect.LiteralType,
    msgspec.inspect.EnumType,
)


@cache
def _shape(kind: type[msgspec.Struct]) -> Shape:
    config = kind.__struct_config__
    return str(config.tag or ""), tuple((field.name, _default(field)) for field in msgspec.structs.fields(kind))


@cache
def _unprinted(kind: type[msgspec.Struct]) -> Shape:
    """The shape of a struct without its printed values."""
    tag, fields = _shape(kind)
    if issubclass(kind, Row) and "id" in kind.__struct_fields__:
        return tag, tuple(field for field in fields if field[0] == "id")
    return tag, tuple(field for field in fields if field[0] not in getattr(kind, "printed", ()))


def _default(field: msgspec.structs.FieldInfo) -> Any:
    """The default of a field; where it has none, a value that equals no other."""
    made = field.default_factory
    return field.default if made is msgspec.NODEFAULT else made()


def _left_out(game: Game[Any]) -> Callable[[Any], None]:
    """Leave the setting out, and refuse to lose any other value that is not plain data."""
    setting = getattr(game.state, "setting", None)

    def hook(value: Any) -> None:
        if value is not setting:
            raise NotImplementedError(f"a {type(value).__name__} in a game is not plain data")

    return hook
