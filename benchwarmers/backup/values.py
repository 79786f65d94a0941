"""Values of columns as they stand in an archive: the same text from either database.

Whole numbers, truth and text are JSON's own. A moment is `2026-01-31 12:00:00.123456` in UTC, without a fraction where
there is none; a decimal is text; bytes are base64; JSON stays the text that it was. Pure.
"""

from __future__ import annotations

import json
import math
import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final

from benchwarmers.backup.refused import Refused

Change = Callable[[Any], Any]
"""Of a value that is not None."""


class Kind(StrEnum):
    """What a column holds."""

    INTEGER = "integer"
    BOOLEAN = "boolean"
    TEXT = "text"
    FLOAT = "float"
    DECIMAL = "decimal"
    MOMENT = "moment"
    DAY = "day"
    JSON = "json"
    BYTES = "bytes"


KINDS: Final = {
    **dict.fromkeys(
        ("AutoField", "BigAutoField", "SmallAutoField", "IntegerField", "BigIntegerField", "SmallIntegerField"),
        Kind.INTEGER,
    ),
    **dict.fromkeys(("PositiveIntegerField", "PositiveBigIntegerField", "PositiveSmallIntegerField"), Kind.INTEGER),
    **dict.fromkeys(("CharField", "TextField", "SlugField", "FileField", "GenericIPAddressField"), Kind.TEXT),
    "BooleanField": Kind.BOOLEAN,
    "FloatField": Kind.FLOAT,
    "DecimalField": Kind.DECIMAL,
    "DateTimeField": Kind.MOMENT,
    "DateField": Kind.DAY,
    "JSONField": Kind.JSON,
    "BinaryField": Kind.BYTES,
}
"""By what Django calls a field's type."""

_AS_STORED = (19, 26)
"""Letters of a moment as Django writes it into SQLite: without and with a fraction."""
_SUSPECT = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
"""In JSON text: what may be no character to Postgres."""
_NONE = re.compile("[\x00\ud800-\udfff]")
_EXACT: Final = 15
"""Digits that a float holds."""
NO_CHARACTER: Final = "\ufffd"


def kind_of(field: Any) -> Kind:
    """The kind of a model's field; that of the key it refers to where it refers to one.

    :raises Refused: nobody has said how such a field is kept.
    """
    while field.remote_field is not None:
        field = field.target_field
    try:
        return KINDS[field.get_internal_type()]
    except KeyError:
        raise Refused(f"Backups do not know fields like {field.model.__name__}.{field.name} yet.") from None


def outward(kind: Kind, vendor: str) -> Change | None:
    """What makes the archive's value of the driver's; None where they are the same."""
    return (_FROM_SQLITE if vendor == "sqlite" else _FROM_POSTGRES).get(kind)


def inward(kind: Kind, vendor: str) -> Change | None:
    """What makes the driver's value of the archive's; None where they are the same."""
    return (_TO_SQLITE if vendor == "sqlite" else _TO_POSTGRES).get(kind)


def held(kind: Kind, vendor: str) -> Change | None:
    """What makes a value comparable with one that was read back from a database of this vendor, which may write the
    same JSON in another way and hold no NUL."""
    if kind is Kind.JSON:
        return _read_json if vendor == "sqlite" else lambda text: _read_json(_json_for_postgres(text))
    return _text_for_postgres if kind is Kind.TEXT and vendor != "sqlite" else None


def _moment_text(text: str) -> str:
    if len(text) in _AS_STORED and text[10] == " ":
        return text
    moment = datetime.fromisoformat(text)
    return _moment(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def _moment(moment: datetime) -> str:
    return str(moment.astimezone(UTC).replace(tzinfo=None))


def _day(day: date) -> str:
    return day.isoformat()


def _float(number: float) -> float | str:
    return number if math.isfinite(number) else str(number)


def _decimal(number: Decimal | float) -> str:
    """However many zeros a database keeps at its end."""
    text = f"{Decimal(str(number)):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _base64(held: bytes | memoryview) -> str:
    return b64encode(held).decode("ascii")


def _text_for_postgres(text: str) -> str:
    return text.replace("\x00", NO_CHARACTER) if "\x00" in text else text


def _json_for_postgres(text: str) -> str:
    """The same text, unless it names what is no character: that has no place in Postgres."""
    return json.dumps(_cleaned(json.loads(text))) if _SUSPECT.search(text) else text


def _cleaned(value: Any) -> Any:
    match value:
        case str():
            return _NONE.sub(NO_CHARACTER, value)
        case list():
            return [_cleaned(one) for one in value]
        case dict():
            return {_cleaned(name): _cleaned(one) for name, one in value.items()}
        case _:
            return value


def _read_json(text: str) -> Any:
    return json.loads(text, parse_int=_whole_number)


def _whole_number(digits: str) -> float:
    """Postgres writes 1e+23 as a whole number, which is no longer the float that it was."""
    return int(digits) if len(digits) <= _EXACT else float(digits)


_FROM_SQLITE: Final[dict[Kind, Change]] = {
    Kind.BOOLEAN: bool,
    Kind.FLOAT: _float,
    Kind.DECIMAL: _decimal,
    Kind.MOMENT: _moment_text,
    Kind.BYTES: _base64,
}
_FROM_POSTGRES: Final[dict[Kind, Change]] = {
    Kind.FLOAT: _float,
    Kind.DECIMAL: _decimal,
    Kind.MOMENT: _moment,
    Kind.DAY: _day,
    Kind.BYTES: _base64,
}
_TO_SQLITE: Final[dict[Kind, Change]] = {Kind.FLOAT: float, Kind.BYTES: b64decode}
_TO_POSTGRES: Final[dict[Kind, Change]] = {
    Kind.TEXT: _text_for_postgres,
    Kind.JSON: _json_for_postgres,
    Kind.MOMENT: lambda text: f"{text}+00",
    Kind.BYTES: b64decode,
}
